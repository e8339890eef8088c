import Dispatch

/// Runs so many transfers at once and no more.
///
/// Its known bug: those that have to wait do so on threads of the global queue. When all of these wait, what would end a
/// transfer finds none.
extension Wrong {
  final class TransferPool: Sendable {
    private let slots: DispatchSemaphore

    init(width: Int) { slots = DispatchSemaphore(value: width) }

    func run(_ transfer: @escaping @Sendable (_ done: @escaping @Sendable () -> Void) -> Void) {
      DispatchQueue.global().async { [slots] in
        slots.wait()
        transfer { slots.signal() }
      }
    }
  }
}

extension Right {
  final class TransferPool: Sendable {
    private let slots: DispatchSemaphore
    private let line = DispatchQueue(label: "transfers.line")

    init(width: Int) { slots = DispatchSemaphore(value: width) }

    func run(_ transfer: @escaping @Sendable (_ done: @escaping @Sendable () -> Void) -> Void) {
      line.async { [slots] in
        slots.wait()
        DispatchQueue.global().async { transfer { slots.signal() } }
      }
    }
  }
}
