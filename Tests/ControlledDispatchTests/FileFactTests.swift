import ChapterTesting
import Foundation
import Testing

/// What holds for real files and their sources, as observed on Linux, beyond what the programs of `DescriptorTests` say:
/// chapter 13 tells it.
@Suite(unlessSanitized, .timeLimit(.minutes(30))) struct FileFactTests {
  @Test func `a file never says that it would block; cut, it gives less, or the end`() throws {
    let file = try namelessFile()
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 600_000)
    for (size, count) in [(1_000_000, 600_000), (800_000, 200_000), (100_000, 0)] {
      #expect(ftruncate(file, size) == 0)
      #expect(read(file, &bytes, 600_000) == count)
    }
  }

  @Test func `a source of a file fires on and on; its estimate has 32 bits`() async throws {
    let file = try namelessFile()
    defer { close(file) }
    // With 0 bytes it is at its end.
    for size in [0, 0x7fff_ffff, 0x1_0000_0007, 0x100_0000_0000] {
      try #require(ftruncate(file, size) == 0)
      let reading = DispatchSource.makeReadSource(fileDescriptor: file, queue: .global())
      let estimates = await firings(of: reading)
      #expect(estimates.allSatisfy { $0 == UInt(size & 0xffff_ffff) })
    }
    _ = await firings(of: DispatchSource.makeWriteSource(fileDescriptor: file, queue: .global()))
  }

  /// Waits until a source has fired a hundred times, and cancels it.
  private func firings(of source: any DispatchSourceProtocol) async -> [UInt] {
    // Sendable: sources may be used on any thread.
    nonisolated(unsafe) let same = source
    let (calls, over) = (Deliveries<UInt>(), Deliveries<Void>())
    source.setEventHandler { calls.append(same.data) }
    source.setCancelHandler { over.append(()) }
    source.activate()
    let data = await calls.wait(count: 100)
    source.cancel()
    await over.wait(count: 1)
    return data
  }
}

/// A file without bytes that has no name any more, opened as one that does not block.
private func namelessFile() throws -> Int32 {
  let folder = try TemporaryFolder()
  defer { withExtendedLifetime(folder) {} }
  return open(folder.file("file"), O_RDWR | O_NONBLOCK | O_CLOEXEC)
}
