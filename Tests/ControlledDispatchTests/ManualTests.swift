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
    let isRight: @Sendable (String) -> Bool = { $0 == "hello" }
    let short = await explore(.reduced(assuming: .controlledSharing), allowing: isRight) {
      var ends: [Int32] = [0, 0]
      Kernel.pipe(&ends)
      Kernel.write(ends[1], "hello", 5)
      var bytes: [UInt8] = Array(repeating: 0, count: 5)
      let count = Kernel.read(ends[0], &bytes, 5)
      return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
    let isShortShown = text.contains("```\n\(short)```\n")
    #expect(isShortShown, "\(short)")
    let isCounterShown = text.contains("```\n\(counter)```\n")
    #expect(isCounterShown, "\(counter)")
  }
}
