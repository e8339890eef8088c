import Foundation
import Synchronization

/// What a thread holds, and what is known of the thread itself.
///
/// It is reached through thread-specific data, and used by its own thread alone, but for what the comment on
/// ``Strays`` says.
struct ThreadRecord: ~Copyable {
  /// Something the thread holds, in the order of taking.
  struct Held {
    /// Alive while the entry is, since a resource that is held must not be freed; see ``Strays``.
    let resource: Unmanaged<Resource>
    let number: UInt
    let task: Party
    let place: Place
    /// Of this entry and all below it.
    let signature: UInt
  }

  private(set) var held: UnsafeMutablePointer<Held>
  private var capacity = 16
  private(set) var count = 0
  /// Signatures whose orders have been noted: a direct-mapped table, made when first needed.
  private var noted: UnsafeMutablePointer<UInt>?
  private static let notedCount: UInt = 1024
  /// The thread itself, in the graph.
  let party: Party = Resource.nextNumber()
  /// The number of the work under way; see ``Strand/run``.
  var run = Resource.nextNumber()
  /// What the thread was called by whoever made it, if it is watched.
  private var givenName: Guarded<String?>?
  /// What the system calls it after the thread that made it.
  private var inheritedName: String?
  /// What the operation is called that the thread runs; nil if it runs none that is watched.
  var operation: String?
  /// The handler of a finding that the thread runs, or 0. What it does is not watched, and what it takes is
  /// its own: it will give that back, though the thread is about to wait for ever.
  var handler: Party = 0
  /// Whether something it holds has been released by another thread.
  let hasStrays = Atomic(false)
  private let currentTask = Runtime.currentTask
  private let taskNumber = Runtime.taskNumber
  private let number = Runtime.threadNumber
  let isMain = Thread.isMainThread
  /// How often the end of the thread has been put off.
  private var delays = 0

  private init() { held = .allocate(capacity: 16) }

  deinit {
    noted?.deallocate()
    held.deallocate()
  }

  /// What acts on the thread, other than the thread itself; see ``Strand/task``.
  @inline(__always) var current: Party {
    if handler != 0 { return handler }
    let task = currentTask()
    return task == 0 ? 0 : UInt(taskNumber(task)) | Runtime.taskBit
  }

  /// What the thread is called, or else its number; for the thread itself, or for anyone while it is blocked.
  var name: String {
    if isMain { return "main" }
    if let given = givenName?({ $0 }) { return given }
    let known = Runtime.name(ofThread: number)
    return known == inheritedName ? "\(number)" : known ?? "\(number)"
  }

  /// Notes that the thread begins, and where its name is kept.
  mutating func begin(as given: Guarded<String?>) {
    givenName = given
    inheritedName = Runtime.name(ofThread: number)
  }

  private(set) lazy var knownName = name

  /// Puts what was taken on top.
  ///
  /// - Returns: Whether something else is held.
  @inline(__always) mutating func push(_ resource: Resource, task: UInt, place: Place) -> Bool {
    let signature =
      count == 0 ? resource.number : Self.mix(held[count - 1].signature, resource.number)
    if count == capacity { grow() }
    (held + count).initialize(
      to: Held(
        resource: .passUnretained(resource), number: resource.number, task: task, place: place,
        signature: signature))
    count += 1
    return count > 1
  }

  /// Takes away what was put there last for a resource.
  ///
  /// - Returns: Whether there was something.
  @inline(__always) mutating func pop(_ resource: Resource) -> Bool {
    if count > 0, held[count - 1].number == resource.number {
      count -= 1
      return true
    }
    guard let index = (0..<count).last(where: { held[$0].number == resource.number }) else {
      return false
    }
    remove(at: index)
    return true
  }

  /// Takes away the oldest entries that another thread has released.
  mutating func purge(_ numbers: [UInt]) {
    for number in numbers {
      if let index = (0..<count).first(where: { held[$0].number == number }) { remove(at: index) }
    }
  }

  private mutating func remove(at index: Int) {
    for index in index..<(count - 1) {
      let next = held[index + 1]
      let below = index == 0 ? nil : held[index - 1].signature
      held[index] = Held(
        resource: next.resource, number: next.number, task: next.task, place: next.place,
        signature: below.map { Self.mix($0, next.number) } ?? next.number)
    }
    count -= 1
  }

  private mutating func grow() {
    let larger = UnsafeMutablePointer<Held>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: held, count: count)
    held.deallocate()
    held = larger
    capacity *= 2
  }

  /// Steele and Vigna's mixing: two stacks share one of 2⁶⁴ signatures by accident only.
  private static func mix(_ below: UInt, _ number: UInt) -> UInt {
    var mixed = below &* 0x9E37_79B9_7F4A_7C15 &+ number
    mixed = (mixed ^ (mixed >> 32)) &* 0xD6E8_FEB8_6659_FD93
    return mixed ^ (mixed >> 29)
  }

  /// Whether the order of the topmost has been noted, for this run or for all.
  func isNoted(run: UInt) -> Bool {
    guard let noted else { return false }
    let signature = held[count - 1].signature
    let known = noted[Int(signature % Self.notedCount)]
    return known == signature ^ run || known == signature
  }

  /// Notes that the order of the topmost is known, for this run or for all.
  mutating func setNoted(run: UInt?) {
    if noted == nil {
      noted = .allocate(capacity: Int(Self.notedCount))
      noted!.initialize(repeating: 0, count: Int(Self.notedCount))
    }
    let signature = held[count - 1].signature
    noted![Int(signature % Self.notedCount)] = signature ^ (run ?? 0)
  }

  // MARK: Thread-specific data

  /// The key of the records. Each reading of a static variable costs a call of `swift_once`.
  static let key: pthread_key_t = {
    var key = pthread_key_t()
    let status = pthread_key_create(&key) { ThreadRecord.end($0) }
    precondition(status == 0, "no key for thread-specific data is left")
    return key
  }()

  @inline(__always) static func at(_ key: pthread_key_t) -> UnsafeMutablePointer<ThreadRecord> {
    if let known = pthread_getspecific(key) { return known.assumingMemoryBound(to: Self.self) }
    return make()
  }

  @inline(never) private static func make() -> UnsafeMutablePointer<ThreadRecord> {
    let record = UnsafeMutablePointer<ThreadRecord>.allocate(capacity: 1)
    record.initialize(to: ThreadRecord())
    pthread_setspecific(key, record)
    return record
  }

  /// The thread ends.
  #if canImport(Darwin)
    private static func end(_ pointer: UnsafeMutableRawPointer) { ended(pointer) }
  #else
    private static func end(_ pointer: UnsafeMutableRawPointer?) { ended(pointer!) }
  #endif

  private static func ended(_ pointer: UnsafeMutableRawPointer) {
    let record = pointer.assumingMemoryBound(to: Self.self)
    // Destructors of others may yet release what is held, in any of the rounds that they run in.
    if !Strays.held(by: record).isEmpty, record.pointee.delays < lastDelay {
      record.pointee.delays += 1
      pthread_setspecific(key, pointer)
      return
    }
    // What it still holds it will never release; a task may go on elsewhere.
    let party = record.pointee.party
    for entry in Strays.leave(record) where entry.task == 0 || entry.resource.isThreadOwned {
      entry.resource.abandon(party)
    }
    record.deinitialize(count: 1)
    record.deallocate()
  }

  /// Of the four rounds that POSIX promises, the first is no delay, and in the last ThreadSanitizer ends its own
  /// account of the thread, after which no code may run that it has instrumented.
  private static let lastDelay = 2
}

/// What was released by another thread than the one that took it, and is still among what that one holds.
///
/// Only under this lock does a thread look at resources through its entries: whoever releases one elsewhere
/// says so first, and may free it only then.
enum Strays {
  typealias Entry = (resource: Resource, task: Party, place: Place)

  private static let strays = Guarded<[UnsafeMutablePointer<ThreadRecord>: [UInt]]>([:])

  /// Says that what a thread took, if that has not ended, is released by the calling one.
  static func add(_ resource: Resource) {
    strays { strays in
      guard let record = resource.thread else { return }
      strays[record, default: []].append(resource.number)
      record.pointee.hasStrays.store(true, ordering: .relaxed)
    }
  }

  /// Takes what is no longer held from the calling thread's record.
  static func purge(_ record: UnsafeMutablePointer<ThreadRecord>) {
    strays { purge(record, &$0) }
  }

  /// What the calling thread really holds.
  static func held(by record: UnsafeMutablePointer<ThreadRecord>) -> [Entry] {
    strays { entries(of: record, &$0) }
  }

  /// What the calling thread holds at its end. Its record is nothing's any more.
  static func leave(_ record: UnsafeMutablePointer<ThreadRecord>) -> [Entry] {
    strays { strays in
      let left = entries(of: record, &strays)
      for entry in left { entry.resource.thread = nil }
      return left
    }
  }

  private static func entries(
    of record: UnsafeMutablePointer<ThreadRecord>,
    _ strays: inout [UnsafeMutablePointer<ThreadRecord>: [UInt]]
  ) -> [Entry] {
    purge(record, &strays)
    return (0..<record.pointee.count).map {
      let entry = record.pointee.held[$0]
      return (entry.resource.takeUnretainedValue(), entry.task, entry.place)
    }
  }

  private static func purge(
    _ record: UnsafeMutablePointer<ThreadRecord>,
    _ strays: inout [UnsafeMutablePointer<ThreadRecord>: [UInt]]
  ) {
    guard record.pointee.hasStrays.load(ordering: .relaxed) else { return }
    record.pointee.hasStrays.store(false, ordering: .relaxed)
    record.pointee.purge(strays.removeValue(forKey: record) ?? [])
  }
}
