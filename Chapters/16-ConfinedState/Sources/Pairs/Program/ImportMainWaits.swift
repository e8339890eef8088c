extension MainWaits {
  /// Waits, on the main thread, for what a child still does. If that is a save, it waits for the main thread.
  static func count(of child: Context) -> Int {
    child.performAndWait { child.users().count }
  }
}
