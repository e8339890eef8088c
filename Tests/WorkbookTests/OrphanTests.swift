#if os(Linux)
  import Foundation
  import Testing
  import Workbook

  /// No hazard child outlives its parent, however the parent ends.
  @Suite struct OrphanTests {
    @Test(arguments: [SIGKILL, SIGINT, SIGTERM])
    func `a child that hangs ends when a signal ends its parent`(_ signal: Int32) async throws {
      let parent = Process()
      parent.executableURL = URL(filePath: try ChildProcess.product("workbook"))
      parent.arguments = ["demo", "queues/main-waits"]
      parent.standardOutput = FileHandle.nullDevice
      try parent.run()
      let child = try #require(await ProcessTable.child(of: parent.processIdentifier))
      kill(parent.processIdentifier, SIGSTOP)  // so that it cannot find out that the child hangs
      #expect(kill(child, 0) == 0)
      kill(parent.processIdentifier, signal)
      kill(parent.processIdentifier, SIGCONT)
      parent.waitUntilExit()
      #expect(parent.terminationReason == .uncaughtSignal)
      #expect(await ProcessTable.isGone(child))
    }
  }
#endif
