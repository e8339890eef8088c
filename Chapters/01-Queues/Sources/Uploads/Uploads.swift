/// A file to upload.
public struct Upload: Sendable {
  public let name: String
  public let isUrgent: Bool

  public init(_ name: String, isUrgent: Bool = false) {
    self.name = name
    self.isUrgent = isUrgent
  }
}

/// Uploads files one at a time. Which comes first is where the implementations differ.
public protocol Uploads: Sendable {
  /// - Parameter send: Called for each upload, never for two at once.
  init(send: @escaping @Sendable (Upload) -> Void)
  /// Hands over some files; returns without waiting for them.
  func submit(_ batch: [Upload]) async
  /// Waits until everything that was handed over is sent; nothing may be handed over after.
  func finish() async
}
