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

    /// A demo whose child hangs, stopped before it could find that out and end the child.
    ///
    /// It finds out within a fifth of a second, so on a busy machine it takes more than one try.
    private func stoppedParentWithHangingChild() async throws -> (parent: Process, child: pid_t) {
      let deadline = ContinuousClock.now + .seconds(300)
      while ContinuousClock.now < deadline {
        let parent = Process()
        parent.executableURL = URL(filePath: try ChildProcess.product("workbook"))
        parent.arguments = ["demo", "queues/main-waits"]
        parent.standardOutput = FileHandle.nullDevice
        try parent.run()
        while parent.isRunning {
          guard let child = ProcessTable.child(of: parent.processIdentifier) else { continue }
          kill(parent.processIdentifier, SIGSTOP)
          if await ProcessTable.isStopped(parent.processIdentifier), ProcessTable.isAlive(child) {
            return (parent, child)
          }
          kill(parent.processIdentifier, SIGKILL)
          break
        }
        parent.waitUntilExit()
      }
      throw NoHangingChild()
    }

    private struct NoHangingChild: Error {}
  }
#endif
