import ControlledDispatch
import Glibc
import Interleaving
import Testing

@testable import RealPrograms
@testable import TwinPrograms

/// Calls and sources of descriptors, files, signals and processes: one table of programs, each with the real ones and with the
/// stand-ins.
@Suite(unlessSanitized, .timeLimit(.minutes(30))) struct DescriptorTests {
  typealias RealEnds = RealPrograms.Programs.Ends
  typealias TwinEnds = TwinPrograms.Programs.Ends

  struct Program: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let real: @Sendable () -> [String]
    let twin: @Sendable () -> [String]
    let expected: [String]

    init(
      _ name: String, _ real: @escaping @Sendable () -> [String],
      _ twin: @escaping @Sendable () -> [String], _ expected: String...
    ) {
      testDescription = name
      (self.real, self.twin) = (real, twin)
      self.expected = expected
    }
  }

  /// A program for each kind of ends.
  private static func each(
    _ name: String, of kinds: [RealEnds] = RealEnds.allCases,
    _ real: @escaping @Sendable (RealEnds) -> [String],
    _ twin: @escaping @Sendable (TwinEnds) -> [String], _ expected: String...
  ) -> [Program] {
    kinds.map { kind in
      var program = Program(
        "\(name): \(kind)", { real(kind) }, { twin(TwinEnds(rawValue: kind.rawValue)!) })
      program = program.expecting(expected)
      return program
    }
  }

  private static let sockets: [RealEnds] = [.unix, .tcp]

  static let programs =
    each(
      "reads to the end", Real.readsToTheEnd, Twin.readsToTheEnd, "EAGAIN", "5", "hel", "lo",
      "EAGAIN", "1", "0", "x", "end", "end", "0", "EBADF", "EBADF")
    + each(
      "ends one way", of: sockets, Real.endsOneWay, Twin.endsOneWay, "2", "0", "EPIPE", "a", "b",
      "end", "4", "back", "EAGAIN", "0", "end", "0")
    + each(
      "goes without reading", of: sockets, Real.goesWithoutReading, Twin.goesWithoutReading, "6",
      "4", "0", "unread", "ECONNRESET", "EPIPE")
    + each("waits", Real.waits, Twin.waits, "hello", "end")
    + each(
      "tells what can be read", Real.tellsWhatCanBeRead, Twin.tellsWhatCanBeRead, "5: hel",
      "2: lo", "1: !", "0: end", "cancelled 0")
    + each(
      "tells half an end", of: sockets, Real.tellsHalfAnEnd, Twin.tellsHalfAnEnd, "0: end",
      "0: end", "cancelled 0", "5 still")
    + each(
      "tells of a reset", of: sockets, Real.tellsOfAReset, Twin.tellsOfAReset, "0: ECONNRESET",
      "cancelled 0")
    + [
      Program(
        "duplicates", Real.duplicates, Twin.duplicates, "1", "0", "EBADF", "a", "EAGAIN", "99",
        "true", "99", "true", "end", "0 0 0", "-1", "-1", "EBADF"),
      Program(
        "refuses", Real.refuses, Twin.refuses, "EBADF", "EBADF", "ENOTSOCK", "-1", "ENOTSOCK", "-1",
        "ESPIPE", "0", "-1", "EBADF", "0", "-1", "EBADF", "EBADF", "-1", "-1", "ENOENT"),
      Program(
        "connects", Real.connects, Twin.connects, "-1", "EAGAIN", "EPIPE", "ENOTCONN", "0", "5",
        "hello", "7", "welcome", "0 0 0", "-1", "ECONNREFUSED", "0"),
      Program("counts", Real.counts, Twin.counts, "8", "-1", "EINVAL", "8 3", "-1", "EAGAIN", "0"),
      Program(
        "keeps files", { withPath(Real.keepsFiles) }, { Twin.keepsFiles("/tmp/file") }, "-1",
        "ENOENT", "7", "4", "EBADF", "-1", "EEXIST", "hello", ", file", "end", "2", "llo", "10",
        "e", "EBADF", "1", "!", "end", "end", "1", "12", "0 -1", "ENOENT", "0", "0", "0", "0"),
      Program("waits for room", Real.waitsForRoom, Twin.waitsForRoom, "65537", "65537"),
      Program("tells again", Real.tellsAgain, Twin.tellsAgain, "5: ", "5: ", "5: ", "cancelled 0"),
      Program(
        "tells of connections", Real.tellsOfConnections, Twin.tellsOfConnections, "1: hello 0",
        "1: hello 0", "cancelled 0"),
      Program(
        "tells of a counter", Real.tellsOfACounter, Twin.tellsOfACounter, "1: 8 3", "1: 8 4",
        "cancelled 0"),
      Program(
        "tells of a file", { withPath(Real.tellsOfAFile) }, { Twin.tellsOfAFile("/tmp/file") },
        "5: hel", "2: lo", "0: end", "0: end", "cancelled 0"),
      Program(
        "tells nothing", Real.tellsNothing, Twin.tellsNothing, "4: told", "cancelled 0",
        "cancelled 0", "cancelled 0", "cancelled 0"),
      Program(
        "tells of room", Real.tellsOfRoom, Twin.tellsOfRoom, ": 65536", ": 65536", "cancelled 0",
        "65536"),
      Program(
        "tells of a broken socket", Real.tellsOfABrokenSocket, Twin.tellsOfABrokenSocket,
        ": EPIPE", "cancelled 0"),
      Program(
        "tells when resumed", Real.tellsWhenResumed, Twin.tellsWhenResumed, "5: hello",
        "cancelled 0"),
      Program(
        "uses a number again", Real.usesANumberAgain, Twin.usesANumberAgain, "5: first",
        "cancelled 0", "6: second", "cancelled 0"),
      Program(
        "channel: reads to the end", Real.channelReadsToTheEnd, Twin.channelReadsToTheEnd, "hello",
        "you", ", done", "over 0 0"),
      Program(
        "channel: tells at the end", Real.channelTellsAtTheEnd, Twin.channelTellsAtTheEnd,
        "helloyou", ", done", "over 0 0"),
      Program(
        "channel: reads in turn", Real.channelReadsInTurn, Twin.channelReadsInTurn,
        "barrier", "second cdef, done", "next g, done", "third , done", "over 0 0"),
      Program(
        "channel: tells in pieces", Real.channelTellsInPieces, Twin.channelTellsInPieces, "0123",
        "4567", "89, done", "over 0 0"),
      Program(
        "channel: closes", Real.channelCloses, Twin.channelCloses, "ab",
        "late nothing, done, error 125", "cd, done", "over 0 0", "ab", "nothing, done, error 125",
        "over 0 0"),
      Program(
        "channel: writes", Real.channelWrites, Twin.channelWrites, "written, done 0", "hello",
        "4 left, done 32", "over 0 0"),
      Program(
        "signals: tells each source", Real.tellsEachSource, Twin.tellsEachSource, "0", "1: first 1",
        "1: first 1", "true 0", "1: first 1", "cancelled 0"),
      Program(
        "signals: merges signals", Real.mergesSignals, Twin.mergesSignals, "1: told 1", "1: told 1",
        "cancelled 0"),
      Program(
        "signals: waits for the next", Real.waitsForTheNext, Twin.waitsForTheNext, "cancelled 0",
        "1: next 1", "cancelled 0"),
      Program(
        "signals: stays set back", Real.staysSetBack, Twin.staysSetBack, "default", "default",
        "ignored", "cancelled 0", "handled", "handled", "ignored", "cancelled 0"),
      Program(
        "signals: refuses", Real.refusesSignals, Twin.refusesSignals, "0", "-1", "true", "-1 true",
        "-1 true", "-1 true", "-1 0"),
      Program(
        "processes: exits", Real.exits, Twin.exits, "0", "exited 0", "0", "exited 0", "no child",
        "-1 true", "0", "exited 1", "0", "exited 1", "no child", "-1 true", "true"),
      Program(
        "processes: is sent signals", Real.isSentSignals, Twin.isSentSignals, "runs", "0 0 0",
        "runs", "0", "killed 15", "runs", "0 0 0", "runs", "0", "killed 9"),
      Program(
        "processes: has descriptors", Real.hasDescriptors, Twin.hasDescriptors, "0 false", "ended",
        "0", "1 true", "killed 1", "0 -1 true", "-1 true", "1 true"),
      inFolder(
        "files: reads from places", Real.readsFromPlaces, Twin.readsFromPlaces, "ell", "o", "end",
        "EINVAL", "5", "EISDIR", "ESPIPE", "EBADF", "EBADF", "0"),
      inFolder(
        "files: has names", Real.hasNames, Twin.hasNames, "5 bytes, 1 names", "5 bytes, 1 names",
        "a folder", "ENOENT", "ENOTDIR", "0 0", "3 bytes, 1 names", "/a", "0", "ENOENT",
        "3 bytes, 1 names", "/b", "0 0 false", "0 0 true", "3 bytes, 0 names", "/b (deleted)",
        "0 bytes, 1 names", "/b", "-1", "ENOENT", "-1", "ENOENT", "0", "-1", "EISDIR", "0",
        "/b (deleted)", "0 0", "EBADF", "ENOENT"),
      inFolder(
        "files: opens what is there", Real.opensWhatIsThere, Twin.opensWhatIsThere, "EISDIR", "0",
        "ENOTDIR", "ENOENT", "0", "0", "0", "0", "ESPIPE", "end", "ESPIPE", "EINVAL", "-1",
        "ENOENT", "-1", "ENOENT", "-1", "EBUSY", "-1", "EBUSY", "0 bytes, 1 names", "0"),
      inFolder(
        "files: has no numbers", { withNumbers(below: 256, Real.hasNoNumbers, $0) },
        Twin.hasNoNumbers, "EMFILE", "EMFILE", "5 bytes, 1 names", "EMFILE", "ENOENT", "EMFILE",
        "ENOENT", "EMFILE", "0", "0 bytes, 1 names", "0 0"),
      inFolder(
        "inotify: watches a file", Real.watchesAFile, Twin.watchesAFile,
        "1", "EAGAIN", "1", "1", "1 modified", "0", "EAGAIN", "0", "1 modified", "0", "1 moved",
        "0", "1 modified", "0", "1 attributes", "1", "1 modified", "0", "1 gone, 1 ignored", "-1",
        "EINVAL", "0"),
      inFolder(
        "inotify: watches a folder", Real.watchesAFolder, Twin.watchesAFolder,
        "1", "2", "0", "EAGAIN", "3", "1 created bbbbbbbbbbbbbbbb 32", "0",
        "1 from a 16, 1 to bbbbbbbbbbbbbbbb 32 as well, 3 attributes, 2 moved, 3 gone, 3 ignored",
        "0", "2 attributes, 2 gone, 2 ignored, 1 deleted bbbbbbbbbbbbbbbb 32", "0"),
      inFolder(
        "inotify: numbers watches", Real.numbersWatches, Twin.numbersWatches, "1", "1", "1",
        "EAGAIN", "1", "1", "1 modified", "ENOTDIR", "2", "0", "1 attributes, 2 deleted a 16", "1",
        "EAGAIN", "1", "0", "1", "1 modified, 1 ignored", "3", "ENOENT", "EINVAL", "EINVAL",
        "EBADF", "0 0", "EBADF"),
      inFolder(
        "inotify: reads whole notices", Real.readsWholeNotices, Twin.readsWholeNotices, "1",
        "EINVAL", "1 created b 16", "1 created c 16", "EAGAIN", "0", "0", "0", "0",
        "1 deleted a 16, 1 deleted b 16, 1 deleted c 16, 1 created c 16, 1 deleted c 16", "0"),
      inFolder(
        "inotify: tells of notices", Real.tellsOfNotices, Twin.tellsOfNotices, "1", "2", "1", "0",
        "0", "0", "16: 2 modified", "32: 1 created b 16", "cancelled 0"),
      Program(
        "is deaf", Real.isDeaf, Twin.isDeaf, "6: beside", "cancelled 0", "cancelled 0",
        "cancelled 0", "5: hello", "cancelled 0"),
    ]

  private static func withPath(_ program: (String) -> [String]) -> [String] {
    program("/tmp/descriptors-\(getpid())")
  }

  /// A program for a folder that nobody else uses. It leaves nothing there.
  private static func inFolder(
    _ name: String, _ real: @escaping @Sendable (String) -> [String],
    _ twin: @escaping @Sendable (String) -> [String], _ expected: String...
  ) -> Program {
    Program(name, { withFolder(real) }, { twin("/tmp/folder") }).expecting(expected)
  }

  private static func withFolder(_ program: (String) -> [String]) -> [String] {
    withPath { path in
      precondition(mkdir(path, 0o700) == 0)
      defer { precondition(rmdir(path) == 0) }
      return program(path)
    }
  }

  /// A program in a process whose descriptors are no more than the explorer has.
  private static func withNumbers(
    below most: rlim_t, _ program: (String) -> [String], _ folder: String
  ) -> [String] {
    let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    precondition(getrlimit(kind, &limit) == 0)
    limit.rlim_cur = most
    precondition(setrlimit(kind, &limit) == 0)
    return program(folder)
  }

  // The numbers that a process gives are its own only if nobody else opens something: so each has one to itself.
  @Test(arguments: programs.indices)
  func `the real ones do what was measured`(_ index: Int) async {
    await #expect(processExitsWith: .success) { [index = index as Int] in
      let program = DescriptorTests.programs[index]
      let said = program.real()
      #expect(said == program.expected, "\(program.testDescription): \(said)")
    }
  }

  @Test(arguments: programs)
  func `the stand-ins do what the real ones do`(_ program: Program) async {
    let exploration = await explore(reduced, limit: 10_000) {
      Kernel.allow(shortCounts: 0)
      return program.twin() + ["\(Kernel.openDescriptors)"]
    }
    #expect(Set(exploration.outcomes.keys) == [program.expected + ["[]"]], "\(exploration)")
    #expect(exploration.failures.isEmpty && exploration.isComplete, "\(exploration)")
  }

  @Test func `the lowest number that is free is given`() async {
    let exploration = await explore(reduced) {
      var ends: [Int32] = [0, 0, 0, 0]
      _ = Kernel.pipe(&ends)
      let first = Kernel.open("/dev/null", O_RDONLY)
      _ = (Kernel.close(ends[1]), Kernel.close(ends[0]))
      // The standard ones are in use.
      let second = Kernel.fcntl(first, F_DUPFD, 0)
      let numbers = [first, second, Kernel.dup(first), Kernel.dup(first)]
      while Kernel.dup(first) != -1 {}
      return numbers + [Kernel.errno == EMFILE ? 0 : Kernel.errno, Kernel.openDescriptors.last!]
    }
    #expect(Set(exploration.outcomes.keys) == [[5, 3, 4, 6, 0, 255]], "\(exploration)")
  }

  // MARK: Files

  @Test func `a file that was given a number again while it ended ends once`() async {
    let exploration = await explore(reduced) {
      let path = "/tmp/file"
      let (first, second) = (Kernel.open(path, O_RDWR | O_CREAT), Kernel.open(path, O_RDWR))
      let inotify = Kernel.inotifyInit(O_NONBLOCK)
      Kernel.inotifyAddWatch(inotify, path, UInt32(IN_DELETE_SELF))
      Kernel.unlink(path)
      ControlledDispatch.strands(
        { Kernel.close(first) }, { Kernel.close(Kernel.dup(first)) })
      let told = [Twin.reading(inotify, 99) == "EAGAIN"]
      Kernel.close(second)
      return told + [Twin.reading(inotify, 99) == "EAGAIN"]
    }
    #expect(Set(exploration.outcomes.keys) == [[true, false]], "\(exploration)")
    #expect(exploration.failures.isEmpty && exploration.isComplete, "\(exploration)")
  }

  @Test func `a watch of a file that ends meanwhile is told so`() async {
    let exploration = await explore(reduced) {
      let file = Kernel.open("/tmp/file", O_RDWR | O_CREAT)
      let inotify = Kernel.inotifyInit(O_NONBLOCK)
      Kernel.unlink("/tmp/file")
      let watch = Shared(Int32(0))
      ControlledDispatch.strands(
        { Kernel.close(file) },
        {
          watch.value = Kernel.inotifyAddWatch(
            inotify, "/proc/self/fd/\(file)", UInt32(IN_DELETE_SELF))
        })
      var bytes = [UInt8](repeating: 0, count: 99)
      return [Int(watch.value), Kernel.read(inotify, &bytes, 99)]
    }
    // That it is over, and that it is watched no more.
    #expect(Set(exploration.outcomes.keys) == [[1, 32], [-1, -1]], "\(exploration)")
    #expect(exploration.failures.isEmpty && exploration.isComplete, "\(exploration)")
  }

  @Test func `a file without a name has its room until it is closed`() async {
    let exploration = await explore(reduced) {
      Kernel.allow(shortCounts: 0)
      Kernel.limitDisk(to: 5)
      let first = Kernel.open("/tmp/first", O_RDWR | O_CREAT)
      let second = Kernel.open("/tmp/second", O_RDWR | O_CREAT)
      var said = [Twin.writing(first, "four"), Twin.writing(second, "xy")]
      Kernel.unlink("/tmp/first")
      said.append(Twin.writing(second, "z"))
      Kernel.close(first)
      said.append(Twin.writing(second, "and all"))
      // A length may be more than there is room for.
      return said + ["\(Kernel.ftruncate(second, 9))"]
    }
    #expect(
      Set(exploration.outcomes.keys) == [["4", "1", "ENOSPC", "4", "0"]],
      "\(exploration)")
  }

  @Test func `what has no stand-in traps`() async {
    func expect(_ reason: String, _ call: @escaping @Sendable () -> Void) async {
      await expectTrap(reason + ", for which the explorer has no stand-in", call)
    }
    for path in ["/tmp/./a", "/tmp/../a", "a/", "/proc/self/fd/3"] {
      await expect("uses the path \(path)") { Kernel.open(path, O_RDWR | O_CREAT) }
      await expect("uses the path \(path)") { Kernel.unlink(path) }
      await expect("uses the path \(path)") { Kernel.rename("/tmp/a", path) }
    }
    await expect("looks at /proc/self/fd/3, /dev/null") {
      var status = stat()
      Kernel.stat("/proc/self/fd/\(Kernel.open("/dev/null", O_RDONLY))", &status)
    }
    await expect("watches /proc/self/fd/3/.., pipe") {
      let reading = Twin.Ends.pipe.open().reading
      Kernel.dup2(reading, 3)
      Kernel.inotifyAddWatch(Kernel.inotifyInit(0), "/proc/self/fd/3/..", UInt32(IN_DELETE))
    }
    await expect("moves in /tmp") { Kernel.lseek(Kernel.open("/tmp", O_RDONLY), 0, SEEK_END) }
    // O_PATH, and O_TMPFILE, which Swift does not see.
    for flag: Int32 in [0o1000_0000, 0o2000_0000] {
      await expect("opens with the flags 0o\(String(flag, radix: 8))") {
        Kernel.open("/tmp", O_RDWR | flag)
      }
    }
  }

  @Test(arguments: [false, true])
  func `the manager comes to a source in its own time`(_ whenCancelled: Bool) async {
    let word = whenCancelled ? "cancelled" : "registered"
    let orders: Set = [["block", word], [word, "block"]]
    let exploration = await explore(reduced) {
      Twin.sharesItsQueue(whenCancelled: whenCancelled)
    }
    #expect(Set(exploration.outcomes.keys) == orders, "\(exploration)")
    #expect(exploration.failures.isEmpty && exploration.isComplete, "\(exploration)")
    #expect(orders.contains(Real.sharesItsQueue(whenCancelled: whenCancelled)))
  }

  // MARK: Chance

  @Test func `a read may be short, once in each strand unless it is said`() async {
    func outcomes(_ most: Int?) async -> Set<[String]> {
      let exploration = await explore(reduced) {
        if let most { Kernel.allow(shortCounts: most) }
        let (reading, writing) = Twin.Ends.unix.open()
        _ = Twin.sending(writing, "abc")
        return (0..<3).map { _ in
          Twin.setNonBlocking(reading)
          return Twin.reading(reading, 9)
        }
      }
      #expect(exploration.failures.isEmpty && exploration.isComplete, "\(exploration)")
      return Set(exploration.outcomes.keys)
    }
    #expect(await outcomes(0) == [["abc", "EAGAIN", "EAGAIN"]])
    let once: Set = [["abc", "EAGAIN", "EAGAIN"], ["a", "bc", "EAGAIN"]]
    #expect(await outcomes(nil) == once)
    #expect(await outcomes(1) == once)
    #expect(await outcomes(2) == once.union([["a", "b", "c"]]))
  }

  @Test(arguments: [Strategy.exhaustive, reduced, .random(seed: 3), .pct(seed: 3, depth: 3)])
  func `a write may be partial, but for one that is small or waits`(_ strategy: Strategy) async {
    let exploration = await explore(strategy, limit: 100) {
      Kernel.limitBuffers(to: 32)
      let (reading, writing) = Twin.Ends.unix.open()
      let all = Twin.sending(writing, "waits")
      Twin.setNonBlocking(writing)
      let sent = ["2!", "more"].map { Twin.sending(writing, $0) } + [all]
      Kernel.allow(shortCounts: 0)
      return sent + [Twin.reading(reading, 99)]
    }
    let every: Set = [["2", "4", "5", "waits2!more"], ["2", "1", "5", "waits2!m"]]
    #expect(Set(exploration.outcomes.keys) == every, "\(exploration)")
  }

  @Test func `a wait may be interrupted`() async {
    let exploration = await explore(reduced) {
      Kernel.allow(shortCounts: 0, interruptions: 1)
      let (reading, writing) = Twin.Ends.pipe.open()
      let log = Twin.Log()
      ControlledDispatch.strands(
        { for _ in 0..<2 { log(Twin.reading(reading, 1)) } }, { _ = Twin.writing(writing, "ab") })
      return log.entries
    }
    // Who finds something does not wait.
    #expect(
      Set(exploration.outcomes.keys) == [["a", "b"], ["EINTR", "a"]], "\(exploration)")
    #expect(exploration.failures.isEmpty && exploration.isComplete, "\(exploration)")
  }

  @Test func `who waits for what nobody brings is told what`() async {
    let exploration = await explore(reduced) {
      let (reading, _) = Twin.Ends.pipe.open()
      return Twin.reading(reading, 1)
    }
    #expect(exploration.failures.map(\.kind) == [.deadlock])
    #expect(
      exploration.failures[0].message.contains("something to read from pipe"),
      "\(exploration)")
  }

  // MARK: What else an exploration says

  @Test func `what comes before a write comes before what follows its reading`() async {
    let exploration = await explore(reduced) {
      let (reading, writing) = Twin.Ends.pipe.open()
      let shared = Shared(0, "shared")
      ControlledDispatch.strands(
        {
          shared.value = 1
          _ = Twin.writing(writing, "a")
        },
        {
          _ = Twin.reading(reading, 1)
          shared.value += 1
        })
      return shared.value
    }
    #expect(Set(exploration.outcomes.keys) == [2], "\(exploration)")
    #expect(exploration.failures.isEmpty && exploration.isComplete, "\(exploration)")
  }

  @Test func `what comes before a write comes before the handler that is told of it`() async {
    let exploration = await explore(reduced) {
      let (reading, writing) = Twin.Ends.pipe.open()
      let shared = Shared(0, "shared")
      let told = DispatchSemaphore(value: 0)
      let source = DispatchSource.makeReadSource(fileDescriptor: reading)
      source.setEventHandler {
        shared.value += 1
        source.cancel()
        told.signal()
      }
      source.activate()
      shared.value = 1
      _ = Twin.writing(writing, "a")
      told.wait()
      return shared.value
    }
    #expect(Set(exploration.outcomes.keys) == [2], "\(exploration)")
    #expect(exploration.failures.isEmpty && exploration.isComplete, "\(exploration)")
  }

  @Test func `a source that nothing comes to and nobody cancels is no failure`() async {
    let exploration = await explore(reduced) {
      let (reading, writing) = Twin.Ends.pipe.open()
      let source = DispatchSource.makeReadSource(fileDescriptor: reading)
      let registered = DispatchSemaphore(value: 0)
      source.setRegistrationHandler { registered.signal() }
      source.setEventHandler {}
      source.activate()
      registered.wait()
      return withExtendedLifetime(source) { "\(source.handle == reading) \(writing)" }
    }
    #expect(Set(exploration.outcomes.keys) == ["true 101"], "\(exploration)")
    #expect(exploration.failures.isEmpty && exploration.isComplete, "\(exploration)")
  }

  // MARK: Where Dispatch on Linux does not do what Dispatch promises

  @Test(arguments: [RealEnds.pipe, .unix])
  func `a hang-up is the last that is told, whatever is left`(_ ends: RealEnds) async {
    await #expect(processExitsWith: .success) { [ends = ends as RealEnds] in
      // That there is something, and that the other side has gone, is merged, unless the handler comes between.
      let said = Real.tellsAfterAHangUp(ends, times: 1)
      #expect([["0: hel", "cancelled 0"], ["5: hel", "cancelled 0"]].contains(said), "\(said)")
    }
    await #expect(processExitsWith: .failure) { [ends = ends as RealEnds] in
      giveUpSoon()
      _ = Real.tellsAfterAHangUp(ends, times: 3)
    }
    await expectPromised(["5: hel", "2: lo", "0: end", "cancelled 0"]) {
      Twin.tellsAfterAHangUp(TwinEnds(rawValue: ends.rawValue)!, times: 3)
    }
  }

  @Test func `after a clean end of a connection what is there is told`() async {
    let expected = ["5: hel", "2: lo", "0: end", "cancelled 0"]
    #expect(Real.tellsAfterAHangUp(.tcp, times: 3) == expected)
    await expectPromised(expected) { Twin.tellsAfterAHangUp(.tcp, times: 3) }
  }

  @Test func `a read source beside a write source that waits is told nothing`() async {
    await #expect(processExitsWith: .failure) {
      giveUpSoon()
      _ = Real.isBesideAWriter()
    }
    await expectPromised(["5: hello", "cancelled 0", "cancelled 0"]) { Twin.isBesideAWriter() }
  }

  @Test func `a full pipe that nobody reads any more is not told of`() async {
    await #expect(processExitsWith: .failure) {
      giveUpSoon()
      _ = Real.tellsOfABrokenPipe()
    }
    await expectPromised([": EPIPE"]) { Twin.tellsOfABrokenPipe() }
  }

  private func expectPromised(
    _ expected: [String], _ program: @escaping @Sendable () -> [String]
  ) async {
    let exploration = await explore(reduced, limit: 10_000) {
      Kernel.allow(shortCounts: 0)
      return program()
    }
    #expect(Set(exploration.outcomes.keys) == [expected], "\(exploration)")
    #expect(exploration.failures.isEmpty && exploration.isComplete, "\(exploration)")
  }

  // MARK: Signals

  @Test func `a write that nobody reads ends the process, unless it says otherwise`() async {
    await #expect(processExitsWith: .signal(SIGPIPE)) { _ = Real.breaksPipe(ignoring: false) }
    await expectTrap("sends SIGPIPE, which ends the process") {
      _ = Twin.breaksPipe(ignoring: false)
    }
    let expected = ["4", "0", "EPIPE", "0", "0"]
    await #expect(processExitsWith: .success) {
      let said = Real.breaksPipe(ignoring: true)
      #expect(said == ["4", "0", "EPIPE", "0", "0"])
    }
    await expectPromised(expected) { Twin.breaksPipe(ignoring: true) }
  }
}

extension DescriptorTests.Program {
  fileprivate func expecting(_ expected: [String]) -> Self {
    Self(testDescription: testDescription, real: real, twin: twin, expected: expected)
  }

  private init(
    testDescription: String, real: @escaping @Sendable () -> [String],
    twin: @escaping @Sendable () -> [String], expected: [String]
  ) {
    self.testDescription = testDescription
    (self.real, self.twin, self.expected) = (real, twin, expected)
  }
}

/// Ends the process by a signal if it has not ended in a second: what should come does not.
private func giveUpSoon() { alarm(1) }
