extension Async {
  /// Draws what is marked, in the task of its caller. What is dirty is nobody else's.
  static func redraw(_ marked: Merged<Parts>, draw: (Parts) async -> Void) async {
    for await parts in marked { await draw(parts) }
  }
}
