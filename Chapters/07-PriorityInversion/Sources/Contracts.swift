// What each pair promises. A requirement that is `async` is met by a synchronous method too, so locks, queues
// and actors share one contract.

/// A search index: photos are added one at a time, and each is found afterwards.
public protocol Index: Sendable {
  /// - Parameter pause: Called in the middle of adding; a demo or a test stops there.
  func add(_ photo: String, inside pause: @Sendable () -> Void) async
  var photos: [String] { get async }
}

/// An index whose callers block, so that threads can use it.
public protocol BlockingIndex: Index {
  func add(_ photo: String, inside pause: @Sendable () -> Void)
  var photos: [String] { get }
}

/// Decodes photos one at a time; each request is answered.
public protocol Decoder: Sendable {
  init()
  /// - Parameters:
  ///   - isVisible: Whether somebody looks at the place where the photo will be.
  ///   - pause: Called in the middle of decoding; a demo or a test stops there.
  func decode(
    _ photo: String, isVisible: Bool, inside pause: @escaping @Sendable () -> Void
  ) async -> String
  /// What was decoded, in its order.
  var decoded: [String] { get async }
}

/// Lets one section run at a time, in the order in which they came. A section may await.
public protocol Turn: Sendable {
  func take(_ section: @escaping @Sendable () async -> Void) async
}

/// Makes a preview in the background, for whoever asks later.
public protocol Preview: Sendable {
  /// Begins to make the preview.
  ///
  /// - Parameter make: Called in the background.
  init(_ make: @escaping @Sendable () -> String)
  /// The preview, when it is made.
  var image: String { get async }
}
