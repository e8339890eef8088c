extension LockedTwice {
  struct Lamp {}
}
