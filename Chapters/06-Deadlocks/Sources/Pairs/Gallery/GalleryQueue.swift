import Dispatch

extension CalledBack {
  final class Gallery: Sendable {
    private let target: DispatchQueue?
    private let decoder: DispatchQueue

    /// - Parameter target: Where all queues run in the end; `nil` for where a queue runs by itself.
    init(target: DispatchQueue? = nil) {
      self.target = target
      decoder = DispatchQueue(label: "decoder", target: target)
    }

    /// A photo has no thread while it waits: it is submitted when it is decoded.
    func show(_ photos: Int) {
      let shown = DispatchGroup()
      for photo in 1...photos {
        shown.enter()
        let queue = DispatchQueue(label: "photo \(photo)", target: target)
        decoder.async {
          queue.async { shown.leave() }
        }
      }
      shown.wait()
    }
  }
}
