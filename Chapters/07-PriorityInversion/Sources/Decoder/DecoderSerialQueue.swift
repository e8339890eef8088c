import Dispatch

/// Decodes on a serial queue: whoever came first is served first, urgent or not.
public final class DecoderSerialQueue: Decoder, @unchecked Sendable {
  // `log` is used on the queue only, which makes it safe to share.
  private var log: [String] = []
  private let queue = DispatchQueue(label: "decoder", qos: .utility)

  public init() {}

  public func decode(
    _ photo: String, isVisible: Bool, inside pause: @escaping @Sendable () -> Void,
    completion: @escaping @Sendable (String) -> Void
  ) {
    queue.async(qos: isVisible ? .userInitiated : .background, flags: .enforceQoS) { [self] in
      pause()
      log.append(photo)
      completion("decoded \(photo)")
    }
  }

  public func decode(
    _ photo: String, isVisible: Bool, inside pause: @escaping @Sendable () -> Void
  ) async -> String {
    await withCheckedContinuation { continuation in
      decode(photo, isVisible: isVisible, inside: pause) { continuation.resume(returning: $0) }
    }
  }

  public var decoded: [String] { queue.sync { log } }
}
