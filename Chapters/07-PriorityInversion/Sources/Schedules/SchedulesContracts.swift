// What the pairs promise that the explorer has no use for.

extension Posix.Index: BlockingIndexing {}

/// Decodes photos one at a time; each request is answered.
protocol Decoding: AnyObject, Sendable {
  init()
  /// - Parameter isVisible: Whether somebody looks at the place where the photo will be.
  func decode(_ photo: String, isVisible: Bool) async -> String
  /// What was decoded, in its order.
  var decoded: [String] { get async }
}

extension Queued.Decoder: Decoding {}
extension Operated.Decoder: Decoding {}
extension Isolated.Decoder: Decoding {}

/// Makes a preview in the background, for those that ask later.
protocol Previewing: Sendable {
  /// Begins to make the preview.
  ///
  /// - Parameter make: Called in the background.
  init(_ make: @escaping @Sendable () -> String)
  /// The preview, when it is made.
  var image: String { get async }
}

extension Waiting.Preview: Previewing {}
extension AwaitedTask.Preview: Previewing {}
