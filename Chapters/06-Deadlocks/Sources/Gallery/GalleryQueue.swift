#if EXPLORED
  import ControlledDispatch
#else
  import Dispatch
#endif

public final class GalleryQueue: Sendable {
  private let target: DispatchQueue?
  private let decoder: DispatchQueue

  /// - Parameter target: Where all queues run in the end; `nil` for where a queue runs by itself.
  public init(target: DispatchQueue? = nil) {
    self.target = target
    decoder = DispatchQueue(label: "decoder", target: target)
  }

  /// A photo has no thread while it waits: it is submitted when it is decoded.
  public func show(_ photos: Int) {
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
