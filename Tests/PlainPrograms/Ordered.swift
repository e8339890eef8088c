import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

// Programs without a race, each of which orders its uses by other means: what would be reported here would be wrong.

public final class Parcel: @unchecked Sendable {
  public var content: Int

  public init(_ content: Int) { self.content = content }
}

final class Stage: Sendable {
  let value = Atomic(0)
}

public struct Spoiled: Error {
  public var parcel: Parcel
}

public enum Ordered {
  public static let all: [(name: String, run: @Sendable () async -> Int)] = [
    ("memory freed and used again", freed), ("local variables of steps", locals),
    ("the value of a task that has ended", ended), ("a group", group),
    ("a discarding group", discarding), ("a group that throws", throwing),
    ("a stream", stream), ("a stream that hands over objects", handing),
    ("a continuation", continuation), ("lazy globals", globals), ("a value type's box", boxes),
    ("deinit", deinits), ("typed errors", errors), ("NSLock.withLock", locked),
    ("a recursive lock", recursive), ("Mutex", mutex), ("an actor", actor),
    ("the main actor", main),
    ("inout over an await", inoutOverAwait), ("task-local values", taskLocals),
    ("async let", asyncLet),
    ("strings and arrays passed on", passed), ("an atomic that publishes", published),
    ("cancellation", cancelled), ("a weak reference", weakly), ("closures", closures),
    ("an indirect enumeration", indirect), ("neighbouring flags", neighbours),
    ("a lazy property behind an actor", lazily), ("an isolated deinit", isolated),
    ("a global that is set up late", late), ("an existential's box", existentials),
    ("a lock inside Foundation", cached), ("fences", fenced),
  ]

  // MARK: Memory

  static let freed: @Sendable () async -> Int = {
    func work(_ number: Int) async -> Int {
      var sum = 0
      for next in 0..<3 {
        let parcel = Parcel(number + next)
        parcel.content += 1
        await Task.yield()
        sum += parcel.content
      }
      return sum
    }
    async let first = work(1)
    async let second = work(10)
    return await first + second
  }

  static let locals: @Sendable () async -> Int = {
    @inline(never) func sum(_ count: Int) -> Int {
      var numbers: [Int] = []
      var sum = 0
      for number in 0..<count { numbers.append(number) }
      for number in numbers { sum += number }
      return sum
    }
    async let first = sum(3)
    async let second = sum(4)
    return await first + second
  }

  static let boxes: @Sendable () async -> Int = {
    struct Large: Equatable {
      var one = 1
      var two = 2
      var three = 3
      var four = 4
    }
    let value: any Equatable & Sendable = Large()
    func change(_ number: Int) async -> Int {
      var mine: any Equatable & Sendable = value
      await Task.yield()
      if var large = mine as? Large {
        large.one = number
        mine = large
      }
      return (mine as? Large)?.one ?? 0
    }
    async let first = change(5)
    async let second = change(6)
    return await first + second
  }

  protocol Counted: Sendable {
    var count: Int { get set }
  }

  struct Wide: Counted {
    var count = 3
    var others = (0, 0, 0)
  }

  final class Holder: @unchecked Sendable {
    var value: any Counted

    init(_ value: any Counted) { self.value = value }

    func exchange() -> Int {
      let count = value.count
      value = Wide(count: 0)
      return count
    }

    func increment() -> Int {
      value.count += 1
      return value.count
    }
  }

  static let existentials: @Sendable () async -> Int = {
    // Both have one box, and who is left with it changes it in place.
    let first = Holder(Wide())
    let second = Holder(first.value)
    async let old = first.exchange()
    async let new = second.increment()
    return await old + new
  }

  static let deinits: @Sendable () async -> Int = {
    final class Owner: @unchecked Sendable {
      var parcel: Parcel?
      init(_ parcel: Parcel) { self.parcel = parcel }
      deinit { parcel?.content = 0 }
    }
    let owner = Owner(Parcel(3))
    let task = Task { [owner] in
      owner.parcel?.content += 1
    }
    await task.value
    return owner.parcel?.content ?? 0
  }

  static let weakly: @Sendable () async -> Int = {
    let parcel = Parcel(1)
    let task = Task { [weak parcel] in
      parcel?.content += 1
    }
    await task.value
    return parcel.content
  }

  static let closures: @Sendable () async -> Int = {
    func makeAdder() -> @Sendable (Int) -> Int {
      let base = 10
      return { base + $0 }
    }
    let add = makeAdder()
    async let first = add(1)
    async let second = add(2)
    return await first + second
  }

  indirect enum Tree: Sendable {
    case leaf(Int)
    case node(Tree, Tree)

    var sum: Int {
      switch self {
      case .leaf(let value): value
      case .node(let left, let right): left.sum + right.sum
      }
    }
  }

  static let indirect: @Sendable () async -> Int = {
    let tree = Tree.node(.leaf(1), .node(.leaf(2), .leaf(3)))
    async let first = tree.sum
    async let second = Tree.node(tree, .leaf(4)).sum
    return await first + second
  }

  final class Flags: @unchecked Sendable {
    var first = false
    var second = false
  }

  static let neighbours: @Sendable () async -> Int = {
    let flags = Flags()
    async let first: Void = { flags.first = true }()
    async let second: Void = { flags.second = true }()
    _ = await (first, second)
    return (flags.first ? 1 : 0) + (flags.second ? 2 : 0)
  }

  static let passed: @Sendable () async -> Int = {
    func make(_ number: Int) async -> ([String], [String: Int]) {
      var names: [String] = []
      var lengths: [String: Int] = [:]
      for next in 0..<5 {
        let name = "a name of some length, number \(number + next)"
        names.append(name)
        lengths[name] = name.count
      }
      return (names, lengths)
    }
    async let first = make(1)
    async let second = make(20)
    let (mine, other) = await (first, second)
    return mine.0.count + other.1.count
  }

  // MARK: Tasks

  static let ended: @Sendable () async -> Int = {
    let parcel = Parcel(1)
    let task = Task { parcel.content += 1 }
    await Task.yield()
    await Task.yield()
    await task.value
    parcel.content += 1
    return parcel.content
  }

  static let group: @Sendable () async -> Int = {
    await withTaskGroup(of: Parcel.self) { group in
      for number in 1...2 { group.addTask { Parcel(number) } }
      var sum = 0
      for await parcel in group {
        parcel.content += 1
        sum += parcel.content
      }
      return sum
    }
  }

  static let discarding: @Sendable () async -> Int = {
    let parcels = [Parcel(1), Parcel(2)]
    await withDiscardingTaskGroup { group in
      for parcel in parcels { group.addTask { parcel.content += 1 } }
    }
    return parcels[0].content + parcels[1].content
  }

  static let throwing: @Sendable () async -> Int = {
    let parcel = Parcel(1)
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          parcel.content += 1
          throw Spoiled(parcel: parcel)
        }
        try await group.waitForAll()
      }
    } catch {
      parcel.content += 1
    }
    return parcel.content
  }

  @TaskLocal static var order = Parcel(1)

  static let taskLocals: @Sendable () async -> Int = {
    func work(_ number: Int) async -> Int {
      await $order.withValue(Parcel(number)) {
        order.content += 1
        await Task.yield()
        return order.content
      }
    }
    async let first = work(1)
    async let second = work(2)
    return await first + second
  }

  static let errors: @Sendable () async -> Int = {
    func open(_ parcel: Parcel) async throws(Spoiled) -> Int {
      parcel.content += 1
      throw Spoiled(parcel: parcel)
    }
    let parcel = Parcel(1)
    let task = Task { () async -> Int in
      do throws(Spoiled) {
        return try await open(parcel)
      } catch {
        error.parcel.content += 1
        return error.parcel.content
      }
    }
    let seen = await task.value
    return seen + parcel.content
  }

  static let asyncLet: @Sendable () async -> Int = {
    let parcel = Parcel(1)
    async let first: Void = { parcel.content += 1 }()
    await first
    async let second: Void = { parcel.content += 1 }()
    await second
    return parcel.content
  }

  static let inoutOverAwait: @Sendable () async -> Int = {
    func add(_ number: inout Int) async {
      number += 1
      await Task.yield()
      number += 1
    }
    func work() async -> Int {
      var mine = 0
      await add(&mine)
      return mine
    }
    async let first = work()
    async let second = work()
    return await first + second
  }

  static let cancelled: @Sendable () async -> Int = {
    let parcel = Parcel(1)
    let task = Task {
      await Task.yield()
      parcel.content += Task.isCancelled ? 1 : 2
    }
    task.cancel()
    await task.value
    return parcel.content > 1 ? 1 : 0
  }

  static let continuation: @Sendable () async -> Int = {
    let parcel = Parcel(1)
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      Task {
        parcel.content += 1
        continuation.resume()
      }
    }
    return parcel.content
  }

  // MARK: Streams

  static let stream: @Sendable () async -> Int = {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let parcel = Parcel(0)
    let task = Task {
      for number in 1...2 {
        parcel.content = number
        continuation.yield(number)
        await Task.yield()
        if number == 1 { break }
      }
      continuation.finish()
    }
    var sum = 0
    for await number in stream { sum += number }
    await task.value
    return sum + parcel.content
  }

  static let handing: @Sendable () async -> Int = {
    let (stream, continuation) = AsyncStream.makeStream(of: Parcel.self)
    Task {
      for number in 1...2 {
        let parcel = Parcel(number)
        parcel.content += 1
        continuation.yield(parcel)
      }
      continuation.finish()
    }
    var sum = 0
    for await parcel in stream {
      parcel.content += 1
      sum += parcel.content
    }
    return sum
  }

  static let fenced: @Sendable () async -> Int = {
    let parcel = Parcel(0)
    let stage = Stage()
    @Sendable func write() async {
      parcel.content = 5
      atomicMemoryFence(ordering: .releasing)
      stage.value.store(1, ordering: .relaxed)
    }
    @Sendable func read() async -> Int {
      guard stage.value.load(ordering: .relaxed) == 1 else { return 5 }
      atomicMemoryFence(ordering: .acquiring)
      return parcel.content
    }
    async let written: Void = write()
    async let content = read()
    await written
    return await content
  }

  static let cached: @Sendable () async -> Int = {
    // Sendable: its own lock guards it.
    nonisolated(unsafe) let cache = NSCache<NSNumber, Parcel>()
    @Sendable func keep() async {
      let parcel = Parcel(0)
      parcel.content = 5
      cache.setObject(parcel, forKey: 1)
    }
    @Sendable func find() async -> Int { cache.object(forKey: 1)?.content ?? 5 }
    async let kept: Void = keep()
    async let found = find()
    await kept
    return await found
  }

  // MARK: What is set up once

  static let shared = Parcel(7)

  static let globals: @Sendable () async -> Int = {
    async let first = shared.content
    async let second = shared.content
    return await first + second
  }

  static let sharedLate = Parcel(7)

  /// Asks for the global only where the second task comes first, which no first execution has.
  static let late: @Sendable () async -> Int = {
    let arrivals = Stage()
    @Sendable func work(_ number: Int) async -> Int {
      let order = arrivals.value.wrappingAdd(1, ordering: .relaxed).oldValue
      return order == number ? 7 : sharedLate.content
    }
    async let first = work(0)
    async let second = work(1)
    return await first + second
  }

  actor Owner {
    private lazy var parcel = Parcel(4)
    var content: Int {
      parcel.content += 0
      return parcel.content
    }
  }

  static let lazily: @Sendable () async -> Int = {
    let owner = Owner()
    async let first = owner.content
    async let second = owner.content
    return await first + second
  }

  // MARK: Locks and actors

  static let locked: @Sendable () async -> Int = {
    let lock = NSLock()
    let parcel = Parcel(0)
    @Sendable func add() { lock.withLock { parcel.content += 1 } }
    async let first: Void = add()
    async let second: Void = add()
    _ = await (first, second)
    return parcel.content
  }

  static let recursive: @Sendable () async -> Int = {
    let lock = NSRecursiveLock()
    let parcel = Parcel(0)
    @Sendable func add() {
      lock.withLock {
        parcel.content += 1
        lock.withLock { parcel.content += 1 }
      }
    }
    async let first: Void = add()
    async let second: Void = add()
    _ = await (first, second)
    return parcel.content
  }

  static let mutex: @Sendable () async -> Int = {
    let counter = MutexCounter()
    async let first: Void = counter.increment()
    async let second: Void = counter.increment()
    _ = await (first, second)
    return counter.value
  }

  static let published: @Sendable () async -> Int = {
    let result = AtomicResult()
    async let first: Void = result.publish(3)
    async let second = result.current
    await first
    _ = await second
    return result.current ?? 0
  }

  actor Counting {
    var count = 0
    let parcel = Parcel(0)
    func add() async {
      count += 1
      await Task.yield()
      parcel.content += 1
    }
  }

  static let actor: @Sendable () async -> Int = {
    let counting = Counting()
    async let first: Void = counting.add()
    async let second: Void = counting.add()
    _ = await (first, second)
    return await counting.count + counting.parcel.content
  }

  @MainActor final class Screen {
    var lines = 0
    func write() { lines += 1 }
  }

  static let main: @Sendable () async -> Int = {
    let screen = await MainActor.run { Screen() }
    async let first: Void = screen.write()
    async let second: Void = screen.write()
    _ = await (first, second)
    return await screen.lines
  }

  @MainActor final class Window {
    let parcel: Parcel
    init(_ parcel: Parcel) { self.parcel = parcel }
    isolated deinit { parcel.content += 1 }
  }

  static let isolated: @Sendable () async -> Int = {
    let parcel = Parcel(0)
    await MainActor.run {
      let window = Window(parcel)
      window.parcel.content += 1
    }
    return parcel.content > 0 ? 1 : 0
  }
}

/// Programs whose second strand uses the value only after the first has, in time; but nothing orders the two.
public final class Unordered: @unchecked Sendable {
  private var value = 0
  private let stage = Atomic(0)
  private let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)

  public init() { pthread_rwlock_init(lock, nil) }

  deinit {
    pthread_rwlock_destroy(lock)
    lock.deallocate()
  }

  public static let all: [(name: String, bodies: @Sendable (Unordered) -> [@Sendable () -> Void])] =
    [
      (
        "a relaxed load of what was released",
        { program in
          [
            {
              program.value = 1
              program.stage.store(1, ordering: .releasing)
            },
            { if program.stage.load(ordering: .relaxed) == 1 { program.value += 1 } },
          ]
        }
      ),
      (
        "a relaxed store over a release",
        { program in
          [
            {
              program.value = 1
              program.stage.store(1, ordering: .releasing)
            },
            {
              guard program.stage.load(ordering: .relaxed) == 1 else { return }
              program.stage.store(2, ordering: .relaxed)
            },
            { if program.stage.load(ordering: .acquiring) == 2 { program.value += 1 } },
          ]
        }
      ),
      (
        "two readers of a lock",
        { program in
          @Sendable func increment() {
            pthread_rwlock_rdlock(program.lock)
            program.value += 1
            pthread_rwlock_unlock(program.lock)
          }
          return [
            {
              increment()
              program.stage.store(1, ordering: .relaxed)
            },
            { if program.stage.load(ordering: .relaxed) == 1 { increment() } },
          ]
        }
      ),
    ]
}
