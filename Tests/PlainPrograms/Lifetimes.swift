import Synchronization

import class Foundation.NSLock

/// A program in which it matters who drops the last reference to an object, or when.
public struct LifetimeProgram: CustomStringConvertible, Sendable {
  public let name: String
  /// Everything that it can come to, derived by hand.
  public let outcomes: Set<String>
  /// Whether it may trap, too.
  public let traps: Bool
  let body: @Sendable (Runner) async -> String

  public var description: String { name }

  public func run(_ runner: Runner) async -> String { await body(runner) }

  init(
    _ name: String, _ outcomes: Set<String>, traps: Bool = false,
    _ body: @escaping @Sendable (Runner) async -> String
  ) {
    (self.name, self.outcomes, self.traps, self.body) = (name, outcomes, traps, body)
  }

  /// Parts that write a diary and have what they are made of for themselves.
  init(
    _ name: String, _ outcomes: Set<String>, traps: Bool = false,
    _ parts: @escaping @Sendable (Diary) -> [Part]
  ) {
    self.init(name, outcomes, traps: traps) { runner in
      let diary = Diary()
      await runner.together(parts(diary))
      return diary.text
    }
  }
}

/// What happens, in order.
final class Diary: Sendable {
  private let entries = Mutex<[String]>([])
  func callAsFunction(_ entry: String) { entries.withLock { $0.append(entry) } }
  /// The entry says what is so when it is written.
  func callAsFunction(_ entry: () -> String) { entries.withLock { $0.append(entry()) } }
  var text: String { entries.withLock { $0.joined(separator: " ") } }
}

/// Says when it comes to its end.
private final class Loud: Sendable {
  let name: String
  let diary: Diary
  init(_ name: String, _ diary: Diary) { (self.name, self.diary) = (name, diary) }
  func finish() { diary("finished") }
  deinit { diary(name) }
}

final class Quiet: Sendable {
  func use() {}
}

extension Part {
  /// Looks whether an object is still there.
  convenience init(lookingFor object: some AnyObject & Sendable, _ diary: Diary) {
    self.init { [weak object] in diary(object == nil ? "gone" : "found") }
  }

  /// Two parts that each log a number and drop an object then.
  fileprivate static func two(keeping object: some Sendable, _ diary: Diary) -> [Part] {
    ["1", "2"].map { number in Part { withExtendedLifetime(object) { diary(number) } } }
  }

  /// Two parts that each drop an object and log a number then.
  static func two(dropping object: some Sendable, _ diary: Diary) -> [Part] {
    ["1", "2"].map { number in Part(dropping: [object]) { diary(number) } }
  }
}

// MARK: What finds an object, or not

extension LifetimeProgram {
  public static let all = [
    weakReference, weakReferenceToWhatIsHeldTwice, weakReferenceThatLasts,
    weakReferenceToWhatIsHeld, weakSelf, weakSelfOnQueue, weakDelegate, weakCache,
    unownedReference, endThatLogs, twoEndsThatLog, endThatCancels, endThatResumes, endThatLocks,
    endOfStream, closureThatKeeps, holder, holderOfWhatGoesLater, weakReferenceBehindHolder,
  ]

  private static let weakReference = LifetimeProgram(
    "a weak reference, beside who drops the object", ["found", "gone"]
  ) { diary in
    let object = Quiet()
    return [
      Part(lookingFor: object, diary),
      Part { object.use() },
    ]
  }

  /// Whoever counts references that were made on the way twice says that it is always found.
  private static let weakReferenceToWhatIsHeldTwice = LifetimeProgram(
    "a weak reference, beside who drops two references to the object", ["found", "gone"]
  ) { diary in
    let object = Quiet()
    return [
      Part(lookingFor: object, diary),
      Part(dropping: [object, object]),
    ]
  }

  /// Who has found it may hold it on, after saying so, until the other has dropped all.
  private static let weakReferenceThatLasts = LifetimeProgram(
    "a weak reference, beside who drops the object between two others that log",
    [
      "found 1 a b", "1 found a b", "found 1 b a", "1 found b a", "1 b found a", "1 a gone b",
      "1 a b gone", "1 gone a b",
    ]
  ) { diary in
    let (first, a, b) = (Loud("1", diary), Loud("a", diary), Loud("b", diary))
    return [
      Part { [weak a] in
        if let a { withExtendedLifetime(a) { diary("found") } } else { diary("gone") }
      },
      Part(dropping: [first, a, b]),
    ]
  }

  private static let weakReferenceToWhatIsHeld = LifetimeProgram(
    "a weak reference to what is held all the time", ["found"]
  ) { runner in
    let (diary, object) = (Diary(), Quiet())
    await runner.together([
      Part(lookingFor: object, diary), Part {},
    ])
    object.use()
    return diary.text
  }

  /// Where it is found, who looked may be the last to drop it.
  private static let weakSelf = LifetimeProgram(
    "weak self, beside who drops it", ["gone", "finished gone"]
  ) { diary in
    let loader = Loud("gone", diary)
    return [Part { [weak loader] in loader?.finish() }, Part { withExtendedLifetime(loader) {} }]
  }

  private static let weakSelfOnQueue = LifetimeProgram(
    "weak self in a block or a task, beside who has submitted it", ["gone", "finished gone"]
  ) { runner in
    let diary = Diary()
    var loader: Loud? = Loud("gone", diary)
    let pending = runner.begin([Part { [weak loader] in loader?.finish() }])
    loader = nil
    await pending.end()
    return diary.text
  }

  private final class Sender: Sendable {
    // Sendable: nothing is assigned once others have it; that the object is no more is seen by all.
    nonisolated(unsafe) weak var delegate: Loud?
    init(_ delegate: Loud) { self.delegate = delegate }
    func send() { delegate?.finish() }
  }

  private static let weakDelegate = LifetimeProgram(
    "a weak delegate", ["gone", "finished gone"]
  ) { diary in
    let delegate = Loud("gone", diary)
    let sender = Sender(delegate)
    return [Part { sender.send() }, Part { withExtendedLifetime(delegate) {} }]
  }

  /// Gives out one object for all who want it at a time.
  private final class Cache: Sendable {
    private struct Entry { weak var value: Quiet? }
    private let diary: Diary
    private let entry = Mutex(Entry())
    init(_ diary: Diary) { self.diary = diary }

    func value() -> Quiet {
      entry.withLock { entry in
        if let value = entry.value { return value }
        let value = Quiet()
        entry.value = value
        diary("made")
        return value
      }
    }
  }

  private static let weakCache = LifetimeProgram(
    "a cache of weak references", ["made", "made made"]
  ) { runner in
    let diary = Diary()
    let cache = Cache(diary)
    await runner.together([Part { cache.value().use() }, Part { cache.value().use() }])
    return diary.text
  }

  private final class Child: Sendable {
    unowned let parent: Loud
    init(_ parent: Loud) { self.parent = parent }
    func ask() { parent.finish() }
  }

  /// Where it traps, the other goes on.
  private static let unownedReference = LifetimeProgram(
    "an unowned reference", ["finished gone"], traps: true
  ) { diary in
    let parent = Loud("gone", diary)
    let child = Child(parent)
    return [Part { child.ask() }, Part { withExtendedLifetime(parent) {} }]
  }

  // MARK: What an end does

  private static let endThatLogs = LifetimeProgram(
    "an end that logs", ["1 2 end", "2 1 end"]
  ) { diary in
    let object = Loud("end", diary)
    return Part.two(keeping: object, diary)
  }

  /// Each drops both, in another order: where each ends one, the two ends have no order.
  private static let twoEndsThatLog = LifetimeProgram(
    "two ends that log", ["a b", "b a"]
  ) { diary in
    let (a, b) = (Loud("a", diary), Loud("b", diary))
    return [Part(dropping: [a, b]), Part(dropping: [b, a])]
  }

  private final class Handle: Sendable {
    let task: Task<Void, Never>
    init(_ task: Task<Void, Never>) { self.task = task }
    deinit { task.cancel() }
  }

  /// The worker is cancelled only once both have logged.
  private static let endThatCancels = LifetimeProgram(
    "an end that cancels",
    [
      "in-time 1 2", "1 in-time 2", "1 2 in-time", "in-time 2 1", "2 in-time 1", "2 1 in-time",
      "1 2 cancelled", "2 1 cancelled",
    ]
  ) { runner in
    let diary = Diary()
    let worker = Task { diary(Task.isCancelled ? "cancelled" : "in-time") }
    func parts() -> [Part] {
      let handle = Handle(worker)
      return Part.two(keeping: handle, diary)
    }
    await runner.together(parts())
    await worker.value
    return diary.text
  }

  private final class Promise: Sendable {
    let continuation: CheckedContinuation<Void, Never>
    init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = continuation }
    deinit { continuation.resume() }
  }

  /// Who waits goes on only once both have logged.
  private static let endThatResumes = LifetimeProgram(
    "an end that resumes", ["1 2", "2 1"]
  ) { runner in
    let diary = Diary()
    func parts(_ continuation: CheckedContinuation<Void, Never>) -> [Part] {
      let promise = Promise(continuation)
      return Part.two(keeping: promise, diary)
    }
    await withCheckedContinuation { _ = runner.begin(parts($0)) }
    return diary.text
  }

  private final class Locked: Sendable {
    private let lock = NSLock()
    func use() { lock.withLock {} }
    deinit { lock.withLock {} }
  }

  private final class Holder: Sendable {
    private let locked: Mutex<Locked?> = Mutex(Locked())
    func take() -> Locked? { locked.withLock { $0 } }
    func drop() { withExtendedLifetime(locked.withLock { $0.take() }) {} }
  }

  private static let endThatLocks = LifetimeProgram(
    "an end that locks", ["", "used"]
  ) { runner in
    let (diary, holder) = (Diary(), Holder())
    await runner.together([
      Part {
        guard let locked = holder.take() else { return }
        locked.use()
        diary("used")
      }, Part { holder.drop() },
    ])
    return diary.text
  }

  private static let endOfStream = LifetimeProgram(
    "the end of a stream that two have", ["1 2 over", "2 1 over"]
  ) { runner in
    let diary = Diary()
    func parts() -> ([Part], AsyncStream<Int>.Continuation) {
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      continuation.onTermination = { _ in diary("over") }
      return (Part.two(keeping: stream, diary), continuation)
    }
    let (both, continuation) = parts()
    await runner.together(both)
    withExtendedLifetime(continuation) {}
    return diary.text
  }

  /// What is to be called, until somebody takes it back.
  private final class Registry: Sendable {
    private let action: Mutex<(@Sendable () -> Void)?>
    init(_ action: @escaping @Sendable () -> Void) { self.action = Mutex(action) }
    func call() { action.withLock { $0 }?() }
    func remove() { withExtendedLifetime(action.withLock { $0.take() }) {} }
  }

  private static let closureThatKeeps = LifetimeProgram(
    "a closure that keeps an object", ["gone", "finished gone"]
  ) { runner in
    let diary = Diary()
    func registry() -> Registry {
      let object = Loud("gone", diary)
      return Registry { object.finish() }
    }
    let registered = registry()
    await runner.together([Part { registered.call() }, Part { registered.remove() }])
    return diary.text
  }

  private final class Box: Sendable {
    let content: Loud
    init(_ content: Loud) { self.content = content }
  }

  /// Who drops the last reference to what holds it is who lets it come to its end.
  private static let holder = LifetimeProgram(
    "an end that drops what logs", ["1 2 end", "2 1 end"]
  ) { diary in
    let box = Box(Loud("end", diary))
    return Part.two(keeping: box, diary)
  }

  /// Who ends the box may be who ends what it holds, though in the order in which the second drops all the first never is.
  private static let holderOfWhatGoesLater = LifetimeProgram(
    "an end that drops what one of two has, too", ["1 end 2", "end 1 2", "end 2 1", "2 end 1"]
  ) { diary in
    let content = Loud("end", diary)
    let box = Box(content)
    return [
      Part(dropping: [box]) { diary("1") }, Part(dropping: [box, content]) { diary("2") },
    ]
  }

  private final class Crate: Sendable {
    let content: Quiet
    init(_ content: Quiet) { self.content = content }
  }

  /// It is found until the second has dropped what holds it; what the first does then need not come after that.
  private static let weakReferenceBehindHolder = LifetimeProgram(
    "a weak reference to what two hold together",
    [
      "found 1 2", "found 2 1", "1 found 2", "2 found 1", "gone 1 2", "gone 2 1", "1 gone 2",
      "2 gone 1", "1 2 gone", "2 1 gone",
    ]
  ) { diary in
    let crate = Crate(Quiet())
    let look = Part { [weak content = crate.content] in
      diary { content == nil ? "gone" : "found" }
    }
    return Part.two(dropping: crate, diary) + [look]
  }
}
