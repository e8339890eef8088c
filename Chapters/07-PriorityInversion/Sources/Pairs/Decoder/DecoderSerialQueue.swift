import Dispatch

extension Queued {
  /// Decodes on a serial queue: whoever came first is served first, urgent or not.
  final class Decoder: @unchecked Sendable {
    // `log` is used on the queue only, which makes it safe to share.
    private var log: [String] = []
    private let queue = DispatchQueue(label: "decoder", qos: .utility)

    func decode(
      _ photo: String, isVisible: Bool, completion: @escaping @Sendable (String) -> Void
    ) {
      queue.async(qos: isVisible ? .userInitiated : .background, flags: .enforceQoS) { [self] in
        log.append(photo)
        completion("decoded \(photo)")
      }
    }

    func decode(_ photo: String, isVisible: Bool) async -> String {
      await withCheckedContinuation { continuation in
        decode(photo, isVisible: isVisible) { continuation.resume(returning: $0) }
      }
    }

    var decoded: [String] { queue.sync { log } }
  }
}
