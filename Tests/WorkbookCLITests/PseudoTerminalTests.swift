#if os(Linux)
  import Foundation
  import Testing
  import Workbook

  /// The program as it shows itself on a terminal.
  @Suite(.enabled(if: FileManager.default.fileExists(atPath: "/dev/ptmx")))
  struct PseudoTerminalTests {
    @Test func `a terminal gets colour, unless it is dumb or NO_COLOR is set`() async throws {
      #expect(try await show(width: 80).contains("\u{1B}[1m"))
      #expect(try await !show(width: 80, ["NO_COLOR": "1"]).contains("\u{1B}"))
      #expect(try await !show(width: 80, ["TERM": "dumb"]).contains("\u{1B}"))
    }

    @Test func `a wide terminal gets two columns, a narrow one gets one`() async throws {
      let plain = ["NO_COLOR": "1", "COLUMNS": "1"]  // a terminal knows better than COLUMNS
      for (width, areTwo) in [(UInt16(100), true), (80, false)] {
        let lines = try await show(width: width, plain).split(separator: "\r\n")
        #expect(lines.first { $0.hasPrefix("before") }?.contains("after") == areTwo)
      }
    }

    /// What a terminal of that width is sent for one demo.
    private func show(width: UInt16, _ environment: [String: String] = [:]) async throws -> String {
      // The ioctls of posix_openpt's kin, which Swift's Glibc module does not show.
      let unlock: UInt = 0x4004_5431  // TIOCSPTLCK
      let getNumber: UInt = 0x8004_5430  // TIOCGPTN
      let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY)
      defer { close(terminal) }
      var number: Int32 = 0
      try #require(ioctl(terminal, unlock, &number) == 0)
      try #require(ioctl(terminal, getNumber, &number) == 0)
      let path = "/dev/pts/\(number)"
      // A terminal keeps its size only while someone has it open.
      let keeper = open(path, O_RDWR | O_NOCTTY)
      defer { close(keeper) }
      var size = winsize(ws_row: 50, ws_col: width, ws_xpixel: 0, ws_ypixel: 0)
      #expect(ioctl(terminal, UInt(TIOCSWINSZ), &size) == 0)

      let program = try ChildProcess.product("workbook")
      let result = try await ChildProcess.run(
        "/bin/sh", ["-c", "exec '\(program)' demo queues/who-waits >'\(path)'"],
        environment: ["TERM": "xterm", "NO_COLOR": ""].merging(environment) { $1 })
      #expect(result.ending == .exited(0))
      var bytes = [UInt8](repeating: 0, count: 65_536)
      let count = read(terminal, &bytes, bytes.count)
      return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
  }
#endif
