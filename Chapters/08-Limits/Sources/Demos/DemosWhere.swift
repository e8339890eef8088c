import Dispatch
import Foundation
import Synchronization
import Workbook

#if canImport(CLinux)
  import CLinux
#endif

extension Demo {
  static let whereBlocksRun = Demo(
    "where-blocks-run",
    asks: "Six pieces of work: on how many threads, and are two ever on one thread at once?",
    sides: [
      .hazard(
        .before, "one block for all six", where6("one-block", meet: { _ in 1 }, oneBlock),
        .surprising("6 pieces on 1 thread", "nobody cuts a block for you"),
        .forbidden("6 pieces on as many threads as cores")
      )
      .code("DemosWhere.swift", "for piece in 0..<pieces { run(piece) }"),
      .hazard(
        .before, "concurrentPerform", where6("perform", meet: { $0 }, performed),
        .allowed("6 pieces on as many threads as cores"), .forbidden("6 pieces on 6 threads"),
        .forbidden("6 pieces on 1 thread")
      )
      .code("DemosWhere.swift", "DispatchQueue.concurrentPerform"),
      .hazard(
        .before, "six serial queues", where6("queues", meet: { _ in pieces }, onQueues),
        .surprising("6 pieces on 6 threads", "each queue takes a thread, however many cores"),
        .forbidden("6 pieces on as many threads as cores")
      )
      .code("DemosWhere.swift", "let queues"),
      .hazard(
        .after, "six child tasks", where6("children", meet: { $0 }, inChildren),
        .allowed("6 pieces on as many threads as cores"), .forbidden("6 pieces on 6 threads"),
        .forbidden("6 pieces on 1 thread")
      )
      .code("DemosWhere.swift", "group.addTask { run(piece) }"),
    ])
}

private let pieces = 6

/// Runs the pieces in a process of its own, so that no other work is in the pools.
///
/// - Parameter meet: How many pieces are under way at once: so many wait for each other. It is given the cores.
private func where6(
  _ name: String, meet: @escaping @Sendable (_ cores: Int) -> Int,
  _ form: @escaping @Sendable (@escaping @Sendable (Int) -> Void) async -> Void
) -> Hazard {
  .task("limits/where-\(name)") { transcript in
    let cores = min(ProcessInfo.processInfo.activeProcessorCount, pieces)
    let places = Places(meeting: meet(cores))
    await form { places.run(piece: $0) }
    for line in places.lines { transcript.say(line) }
    if places.wasShared { return "two pieces on one thread at once" }
    let count = places.threads
    let threads = count == cores && count > 1 && count < pieces
    return threads
      ? "6 pieces on as many threads as cores"
      : "6 pieces on \(count) thread\(count == 1 ? "" : "s")"
  }
}

private let oneBlock: @Sendable (@escaping @Sendable (Int) -> Void) async -> Void = { run in
  await withCheckedContinuation { continuation in
    DispatchQueue.global().async {
      for piece in 0..<pieces { run(piece) }
      continuation.resume()
    }
  }
}

private let performed: @Sendable (@escaping @Sendable (Int) -> Void) async -> Void = { run in
  await blocking { DispatchQueue.concurrentPerform(iterations: pieces) { run($0) } }
}

private let onQueues: @Sendable (@escaping @Sendable (Int) -> Void) async -> Void = { run in
  let queues = (0..<pieces).map { DispatchQueue(label: "com.example.piece\($0)") }
  let group = DispatchGroup()
  for piece in 0..<pieces { queues[piece].async(group: group) { run(piece) } }
  await withCheckedContinuation { continuation in
    group.notify(queue: .global()) { continuation.resume() }
  }
}

private let inChildren: @Sendable (@escaping @Sendable (Int) -> Void) async -> Void = { run in
  await withDiscardingTaskGroup { group in
    for piece in 0..<pieces { group.addTask { run(piece) } }
  }
}

/// Which piece ran on which thread.
private final class Places: Sendable {
  private struct State {
    var names: [UInt: Int] = [:]
    var inside: Set<UInt> = []
    var wasShared = false
    var pieces: [(piece: Int, thread: Int)] = []
  }

  private let state = Mutex(State())
  private let begun = Atomic(0)
  private let line: StartLine
  private let meeting: Int

  init(meeting: Int) {
    self.meeting = meeting
    line = StartLine(meeting)
  }

  func run(piece: Int) {
    let thread = currentThread()
    state.withLock { state in
      state.wasShared = !state.inside.insert(thread).inserted || state.wasShared
      let number = state.names[thread] ?? state.names.count + 1
      state.names[thread] = number
      state.pieces.append((piece, number))
    }
    // The first ones are under way at once.
    if begun.add(1, ordering: .relaxed).newValue <= meeting { line.wait() }
    state.withLock { _ = $0.inside.remove(thread) }
  }

  var wasShared: Bool { state.withLock { $0.wasShared } }
  var threads: Int { state.withLock { $0.names.count } }
  var lines: [String] {
    state.withLock { state in
      state.pieces.sorted { $0.piece < $1.piece }
        .map { "piece \($0.piece + 1) on thread \($0.thread)" }
    }
  }
}

private func currentThread() -> UInt {
  #if canImport(Darwin)
    UInt(bitPattern: pthread_self())
  #else
    UInt(pthread_self())
  #endif
}

// MARK: One core

extension Demo {
  static let oneCore = Demo(
    "one-core",
    asks: "Two threads, and one core for both: are both under way at once?",
    sides: [
      .hazard(
        .before, "one core", cores("one", together: true),
        .allowed("both under way at once, on 1 core", "concurrent, and not parallel"),
        .allowed(noSpare), .forbidden("both under way at once, on 2 cores")
      )
      .code("DemosWhere.swift", "linux_run_on(Int32(core))"),
      .hazard(
        .before, "a core each", cores("two", together: false),
        .allowed("both under way at once, on 2 cores", "concurrent and parallel"),
        .allowed(noSpare), .forbidden("both under way at once, on 1 core")
      )
      .code("DemosWhere.swift", "linux_keep_off(Int32(core), 1)"),
    ])
}

private let noSpare = "a core for each cannot be chosen here"

/// Two threads count, and each looks where it runs.
///
/// - Parameter together: Whether both have the last core, or one has it and the other the rest.
private func cores(_ name: String, together: Bool) -> Hazard {
  Hazard("limits/cores-\(name)") { transcript in
    #if canImport(CLinux)
      let core = Int(linux_spare_processor())
      guard core >= 0 else { return noSpare }
      let line = StartLine(2)
      let seen = Mutex<Set<Bool>>([])
      let count: @Sendable () -> Void = {
        line.wait()
        for _ in 0..<100 {
          if let place = currentCore() { seen.withLock { _ = $0.insert(place == core) } }
        }
      }
      let (start, used) = (ContinuousClock.now, clock())
      onTwoThreads {
        _ = linux_run_on(Int32(core))
        count()
      } _: {
        _ = together ? linux_run_on(Int32(core)) : linux_keep_off(Int32(core), 1)
        count()
      }
      let wall = ContinuousClock.now - start
      let processor = Duration.microseconds(Int(clock() - used))
      transcript.say("processor time \(processor), on the wall \(wall)")
      let number = seen.withLock(\.count)
      return "both under way at once, on \(number) core\(number == 1 ? "" : "s")"
    #else
      return noSpare
    #endif
  }
}

/// The core that runs the calling thread, as Linux tells it.
private func currentCore() -> Int? {
  let status = try? String(contentsOfFile: "/proc/thread-self/stat", encoding: .utf8)
  // The name, in brackets, may have spaces. Field 39 of all is the 37th after it.
  guard let fields = status?.split(separator: ")").last?.split(separator: " "), fields.count > 36
  else { return nil }
  return Int(fields[36])
}
