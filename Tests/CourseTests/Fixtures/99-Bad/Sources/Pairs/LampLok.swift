extension Locked {
  // TODO: Write it.
  struct Lamp<Time: Clock> {}
}
