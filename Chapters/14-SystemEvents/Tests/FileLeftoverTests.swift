import ChapterTesting
import Dispatch
import Foundation
import Testing

@testable import SystemEvents

#if os(Linux)
  @Suite(.serialized, .timeLimit(.minutes(30)))
  struct FileLeftoverTests {
    // A process of its own: descriptors and threads belong to the whole process.
    @Test func `fifteen rounds of watching and following leave nothing behind`() async {
      await #expect(processExitsWith: .success) {
        do {
          try await expectNothingLeft(after: 15, behindFirst: 5, fewerThan: 10, round)
        } catch { Issue.record(error) }
      }
    }
  }

  /// Everything once, on both sides, errors included; returns when all is over.
  private func round() async throws {
    for form in FileTests.Form.all {
      for isCancelled in [true, false] {
        let folder = try TemporaryFolder()
        let watched = try form.watch(folder.file("file"))
        isCancelled ? watched.cancel() : folder.remove("file")
        await watched.ends.wait(count: 1)
      }
      let folder = try TemporaryFolder()
      let watched = try form.watch(folder.folder("folder"))
      #expect(rmdir(folder.at("folder")) == 0)
      await watched.ends.wait(count: 1)
      for events: FileEvents in [.written, .revoked] {
        #expect(throws: SystemError.self) { _ = try form.watch(folder.at("none"), events) }
      }
      #expect(throws: SystemError.self) { _ = try form.watch(folder.file("file"), .revoked) }
    }
    for form in LogFollowerTests.Form.all {
      let folder = try TemporaryFolder()
      folder.folder("logs")
      let followed = try form.follow(folder.file("logs/log", "one\n"))
      await followed.wait(for: .line("one"))
      let other = try form.follow(folder.at("logs/log"))
      let old = folder.move("logs/log", to: "logs/log.1")
      await followed.wait(for: .rotated(to: old))
      folder.file("logs/log", "two\n")
      await followed.wait(for: .line("two"))
      other.stop()
      await other.ends.wait(count: 1)
      folder.move("logs", to: "old")
      await followed.ends.wait(count: 1)
      #expect(throws: SystemError.self) { _ = try form.follow(folder.at("none/log")) }
      #expect(throws: SystemError.self) { _ = try form.follow(folder.at("old/log/x")) }
    }
  }
#endif
