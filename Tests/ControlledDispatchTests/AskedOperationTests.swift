import ControlledDispatch
import Interleaving
import Testing

/// An operation whose `isFinished` takes steps of its own: what is asked of it must change nothing unseen.
private final class Upload: ControlledDispatch.Operation, @unchecked Sendable {
  // Sendable: `stored` is only used on `queue`.
  let queue = DispatchQueue(label: "q", attributes: .concurrent)
  let ends = Mutex(0)
  var stored = 0
  func read() -> Int { queue.sync { stored } }
  func write(_ state: Int) { queue.sync(flags: .barrier) { stored = state } }
  override var isFinished: Bool { read() == 2 }
  override func start() {
    write(1)
    if isCancelled { return end() }
    DispatchQueue.global().async { self.end() }
  }
  override func cancel() {
    super.cancel()
    end()
  }
  func end() {
    guard read() == 1 else { return }
    ends.withLock { $0 += 1 }
    write(2)
    didChangeValue(forKey: "isFinished")
  }
}

@Suite struct AskedOperationTests {
  @Test func `an operation is asked whether it has finished while others go on`() async {
    let exploration = await explore(.reduced(assuming: .controlledSharing)) {
      let upload = Upload()
      strands({ upload.start() }, { upload.cancel() })
    }
    #expect(exploration.failures.isEmpty, "\(exploration)")
  }
}
