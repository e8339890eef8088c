import Dispatch

extension Cancellable {
  // Sendable because `result` is written by `item` and read after it, on its notification. Call `start` or `perform`, and
  // call it once.
  final class Thumbnail: @unchecked Sendable {
    private var item = DispatchWorkItem {}
    private var result: Photo?

    /// - Parameter row: Called before each row, with its number.
    init(of photo: Photo, row: @escaping @Sendable (Int) -> Void = { _ in }) {
      // Unowned is safe: `start` holds on to `self` until its callback, `perform` until it returns.
      item = DispatchWorkItem { [unowned self] in
        var rows: [[UInt8]] = []
        for number in stride(from: 0, to: photo.rows.count, by: 2) {
          row(number)
          if item.isCancelled { return }
          rows.append(photo.rows[number].enumerated().filter { $0.offset % 2 == 0 }.map(\.element))
        }
        result = Photo(rows: rows)
      }
    }

    /// Renders on a queue, and then calls back on it: when the item was cancelled, too.
    func start(on queue: DispatchQueue, completion: @escaping @Sendable (Photo?) -> Void) {
      item.notify(queue: queue) { completion(self.result) }
      queue.async(execute: item)
    }

    /// Renders here and now, on the caller's thread.
    func perform() -> Photo? {
      item.perform()
      return result
    }

    func cancel() {
      item.cancel()
    }
  }
}
