import Foundation

typealias Completion<Value> = @Sendable (Result<Value, any Error>) -> Void
typealias Cancel = @Sendable () -> Void

/// Begins to load a picture, and calls back once, on any thread. A load that is cancelled fails with
/// `CancellationError`.
typealias CallbackLoad =
  @Sendable (_ url: URL, _ completion: @escaping Completion<Picture>) -> Cancel

/// Loads a picture, away from the caller's actor.
typealias AsyncLoad = @concurrent @Sendable (_ url: URL) async throws -> Picture

/// How urgent a picture is.
enum Urgency: Int, Comparable, Sendable {
  /// Whoever asked is about to leave, so it is not begun any more.
  case leaving
  case offscreen, visible

  static func < (first: Urgency, second: Urgency) -> Bool { first.rawValue < second.rawValue }
}

/// Keeps pictures for the old loaders, from any thread.
protocol PictureMemory: AnyObject, Sendable {
  func picture(for url: URL) -> Picture?
  func keep(_ picture: Picture, for url: URL)
}
