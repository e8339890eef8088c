#if os(Linux)
  import Foundation
  import Testing
  import Workbook

  /// No hazard child outlives its parent, however the parent ends.
  @Suite struct OrphanTests {
    @Test(arguments: [SIGKILL, SIGINT, SIGTERM])
    func `a child that hangs ends when a signal ends its parent`(_ signal: Int32) async throws {
      let (parent, child) = try await stoppedParentWithHangingChild()
      kill(parent.processIdentifier, signal)
      kill(parent.processIdentifier, SIGCONT)
      parent.waitUntilExit()
      #expect(parent.terminationReason == .uncaughtSignal)
      #expect(await ProcessTable.isGone(child))
    }

    /// How long the parent may go on between two looks at its children. It finds out that a child hangs after
    /// some hundred and sixty milliseconds of its own time, so it is seen before.
    private static let slice: UInt32 = 20_000

    /// A demo whose child hangs, stopped before it could find that out and end the child; where it was too
    /// quick for a busy machine, another one.
    private func stoppedParentWithHangingChild() async throws -> (parent: Process, child: pid_t) {
      for _ in 1...100 {
        let parent = Process()
        parent.executableURL = URL(filePath: try ChildProcess.product("workbook"))
        parent.arguments = ["demo", "queues/main-waits"]
        parent.standardOutput = FileHandle.nullDevice
        try parent.run()
        while parent.isRunning {
          kill(parent.processIdentifier, SIGSTOP)
          if await ProcessTable.isStopped(parent.processIdentifier),
            let child = ProcessTable.child(of: parent.processIdentifier),
            ProcessTable.isAlive(child)
          {
            return (parent, child)
          }
          kill(parent.processIdentifier, SIGCONT)
          usleep(Self.slice)
        }
      }
      throw NoHangingChild()
    }

    private struct NoHangingChild: Error {}
  }
#endif
