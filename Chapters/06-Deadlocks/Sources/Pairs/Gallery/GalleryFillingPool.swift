import Dispatch

extension Waiting {
  // Each photo has a queue of its own, and waits there for the one decoder, which does all of them in one go. The
  // decoder is a block on a queue, too, and needs a thread like the others.
  final class Gallery: Sendable {
    private let target: DispatchQueue?
    private let decoder: DispatchQueue

    /// - Parameter target: Where all queues run in the end; `nil` for where a queue runs by itself.
    init(target: DispatchQueue? = nil) {
      self.target = target
      decoder = DispatchQueue(label: "decoder", target: target)
    }

    func show(_ photos: Int) {
      let shown = DispatchGroup()
      let decoded = DispatchSemaphore(value: 0)
      for photo in 1...photos {
        DispatchQueue(label: "photo \(photo)", target: target).async(group: shown) {
          decoded.wait()
        }
      }
      decoder.async {
        for _ in 1...photos { decoded.signal() }
      }
      shown.wait()
    }
  }
}
