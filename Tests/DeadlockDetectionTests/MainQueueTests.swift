import Foundation
import XCTest

@testable import DeadlockDetection

/// Waits for the main queue while it is the main thread's own, as in an app.
///
/// By XCTest, which runs a test on that thread. Where Swift Testing runs, the thread has left the queue, and
/// `sync` runs its body on the caller's thread (Linux, 6.3.1).
final class MainQueueTests: XCTestCase {
  func testWhoHasWaitedForTheMainQueueDoesNotWaitForItsNextBlock() throws {
    try XCTSkipIf(isSanitized, "signals come late under the sanitizer")
    let findings = Findings()
    let detector = findings.detector
    let main = WatchedQueue(mainFor: detector)
    let caller = Guarded<Worker?>(nil)
    let thaw = Guarded<(() -> Void)?>(nil)
    let worker = Worker("w") {
      main.sync {
        XCTAssert(Thread.isMainThread)
        XCTAssertEqual(detector.waitCount, 1)
        let thawed = caller { $0! }.freeze()
        thaw { $0 = thawed }
      }
    }
    caller { $0 = worker }
    let limit = Date(timeIntervalSinceNow: 60)
    while thaw({ $0 == nil }), Date() < limit {
      _ = RunLoop.main.run(mode: .default, before: limit)
    }
    // The body has returned, and its caller has yet to find out.
    let waits = detector.waitCount
    try XCTUnwrap(thaw { $0 })()
    worker.join()
    XCTAssertEqual(waits, 0)
    XCTAssert(findings.all.isEmpty, "\(findings.all)")
  }
}
