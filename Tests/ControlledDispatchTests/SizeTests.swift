import ControlledDispatch
import Glibc
import Interleaving
import Testing

/// Deep programs, many strands, many executions.
@Suite(.serialized, unlessSanitized, .timeLimit(.minutes(30))) struct SizeTests {
  @Test func `ten thousand steps`() async {
    let exploration = await explore(reduced, limit: 3, steps: 30_000) {
      let lock = NSLock()
      let count = Shared(0)
      strands(
        (0..<2).map { _ in { for _ in 0..<1_300 { lock.withLock { count.value += 1 } } } })
      return count.value
    }
    // 1,300 × 2 × (lock, read, write, unlock) and a few.
    #expect(exploration.outcomes.keys.allSatisfy { $0 == 2_600 })
    #expect(exploration.completeness == .scheduleLimit(3))
    #expect(exploration.failures.isEmpty, "\(exploration)")
  }

  @Test func `eight strands`() async {
    let exploration = await explore(reduced, limit: 2_000) {
      let locks = (0..<8).map { _ in NSLock() }
      strands(
        (0..<8).map { index in { locks[index].withLock { locks[(index + 1) % 8].withLock {} } } })
    }
    // Eight philosophers: an order for each of eight locks, without the one that goes round.
    #expect(exploration.schedules == 255)
    #expect(exploration.failures.map(\.schedules) == [1])
    #expect(exploration.isComplete)
  }

  @Test func `executions that end leave no thread`() async {
    // In a process of its own, since other suites have threads of theirs.
    await #expect(processExitsWith: .success) {
      func race(_ limit: Int) async -> Exploration<Int> {
        await explore(.random(seed: 1), limit: limit) {
          let lock = NSLock()
          let count = Shared(0)
          strands((0..<3).map { _ in { lock.withLock { count.value += 1 } } })
          return count.value
        }
      }
      _ = await race(10)
      let before = threads()
      let exploration = await race(3_000)
      // The exploration's own thread is on its way out when its result is there.
      for _ in 0..<1_000 where threads() > before { usleep(1_000) }
      guard exploration.schedules == 3_000, exploration.abandonedTasks == 0, threads() <= before
      else { exit(1) }
    }
  }

  @Test func `executions that deadlock are counted, and end the exploration`() async {
    let exploration = await explore(.random(seed: 1), limit: 100_000) {
      let lock = NSLock()
      strands({
        lock.lock()
        lock.lock()
      })
    }
    #expect(exploration.completeness == .abandonedTaskLimit(1_000))
    #expect(exploration.abandonedTasks > 1_000)
  }
}

/// How many threads the process has.
private func threads() -> Int {
  guard let folder = opendir("/proc/self/task") else { return 0 }
  defer { closedir(folder) }
  var count = 0
  while let entry = readdir(folder) {
    if entry.pointee.d_name.0 != CChar(UInt8(ascii: ".")) { count += 1 }
  }
  return count
}
