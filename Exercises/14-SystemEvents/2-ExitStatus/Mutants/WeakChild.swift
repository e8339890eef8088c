// Looks right: the watch does not keep the child, as closures should not. Wrong: when nobody else keeps it, the status
// comes to nobody, and the watch is never closed.

extension Child {
  // region init
  /// Begins to watch a child.
  init(_ watch: any ChildWatch) {
    watch.begin { [weak self] status in
      guard let self else { return }
      watch.close()
      self.exit(with: status)
    }
  }
  // endregion
}
