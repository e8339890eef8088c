import ControlledDispatch
import Foundation
import Interleaving
import Testing

/// What the manual prints is what is printed.
@Suite struct ManualTests {
  @Test func `the runs of the manual`() async throws {
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = package.appending(
      path: "Sources/ControlledDispatch/ControlledDispatch.docc/ControlledDispatch.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let crosswise = await explore(.reduced(assuming: .controlledSharing)) {
      let first = ControlledDispatch.NSLock()
      let second = ControlledDispatch.NSLock()
      strands(
        { first.withLock { second.withLock {} } },
        { second.withLock { first.withLock {} } })
    }
    let isCrosswiseShown = text.contains("```\n\(crosswise)```\n")
    #expect(isCrosswiseShown, "\(crosswise)")
    let counter = await explore(.reduced(assuming: .controlledSharing)) {
      let counter = Shared(0)
      let lock = ControlledDispatch.NSLock()
      strands(
        { lock.withLock { counter.value += 1 } },
        { lock.withLock { counter.value += 1 } })
      return counter.value
    }
    let isCounterShown = text.contains("```\n\(counter)```\n")
    #expect(isCounterShown, "\(counter)")
  }
}
