import CInterleaving
import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
  import Runtime
#elseif canImport(Darwin)
  import Darwin
#endif

// Everything that leans on the unofficial surface of Swift's concurrency runtime stands in this folder.
//
// Tried on: Swift 6.3.1, Linux, x86-64. On any other runtime `layout` verifies each fact before it is
// used; where one does not hold, or a hook is missing, exploration goes on with less, and says so.
//
// - Two hooks: where a job that has no executor preference goes, and which executor is the main actor's; and
//   two of ThreadSanitizer's, for the order between tasks (`Hooks.swift`).
// - The layout of a job, of a task's status and of a default actor's queue, behind `layout`.

/// What the explorer can take hold of in the runtime that it runs on.
package enum SwiftRuntime {
  /// The layout of jobs, tasks and default actors, or nil where it is not the known one.
  static let layout: Layout? = Layout.verified()

  /// Whether a sanitizer is built in, which makes an exploration up to fifty times as slow.
  // Not by what code calls that is compiled for ThreadSanitizer: where that is not linked, it calls this library.
  package static let isSanitized = symbol("__tsan_acquire") != nil || symbol("__asan_init") != nil

  /// The address of a symbol of the running program, or nil.
  static func symbol(_ name: String) -> UnsafeMutableRawPointer? {
    #if canImport(Glibc)
      dlsym(dlopen(nil, RTLD_NOW), name)
    #else
      dlsym(UnsafeMutableRawPointer(bitPattern: -2), name)
    #endif
  }

  // MARK: Layout

  /// Where the runtime keeps what no interface shows, in words of the machine.
  struct Layout {
    /// The first word of every task and of every other job.
    let taskMetadata: UInt
    let jobMetadata: UInt

    /// Kinds of jobs that are not tasks, in the low byte of a job's flags.
    static let drainKind: UInt8 = 193
    static let continuationKind: UInt8 = 195

    static let link = 2
    static let flags = 4
    static let subject = 8
    static let status = 12
    static let innermostRecord = 13
    /// Of a child: right behind the task itself.
    static let parent = 26
    static let actorStatus = 4
    static let actorQueue = 5

    static let group = 28
    /// In bytes.
    static let statusLock = 168

    static let cancelled: UInt = 0x100
    static let running: UInt = 0x800
    static let complete: UInt = 0x2000
    static let dependent: UInt = 0x4000
    static let preferring: UInt = 0x8000

    /// The known layout, if this runtime declares it and two tasks and an actor bear it out.
    static func verified() -> Layout? {
      guard MemoryLayout<UInt>.size == 8,
        let version = symbol("_swift_concurrency_debug_internal_layout_version"),
        version.load(as: UInt32.self) == 1,
        let size = symbol("_swift_concurrency_debug_asyncTaskSize"),
        size.load(as: UInt.self) == 208,
        let task = symbol("_swift_concurrency_debug_asyncTaskMetadata"),
        let job = symbol("_swift_concurrency_debug_jobMetadata")
      else { return nil }
      let layout = Layout(
        taskMetadata: task.load(as: UInt.self), jobMetadata: job.load(as: UInt.self))
      return LayoutProbe().bearsOut(layout) ? layout : nil
    }
  }
}

extension SwiftRuntime.Layout {
  func isTask(at address: UnsafeRawPointer) -> Bool {
    // What the runtime synchronises by need not be an object, nor aligned like one.
    address.loadUnaligned(as: UInt.self) == taskMetadata
  }

  /// Whether an object of the runtime's is a job; a task is one, too.
  func isJob(at address: UnsafeRawPointer) -> Bool {
    isTask(at: address) || address.loadUnaligned(as: UInt.self) == jobMetadata
  }
}

extension UnownedJob {
  /// The job's object.
  var address: UnsafeRawPointer { unsafeBitCast(self, to: UnsafeRawPointer.self) }

  fileprivate func word(_ index: Int) -> UInt {
    address.load(fromByteOffset: 8 * index, as: UInt.self)
  }

  func isTask(in layout: SwiftRuntime.Layout) -> Bool { layout.isTask(at: address) }

  /// The actor that this job would serve until its queue is empty, if it is such a job.
  func drainedActor(in layout: SwiftRuntime.Layout) -> ActorReference? {
    guard word(0) == layout.jobMetadata, kind == SwiftRuntime.Layout.drainKind else { return nil }
    return UnsafeRawPointer(bitPattern: word(SwiftRuntime.Layout.subject)).map(ActorReference.init)
  }

  /// Whether this job does no more than resume a task, as `Task.yield()` makes one.
  func isContinuation(in layout: SwiftRuntime.Layout) -> Bool {
    word(0) == layout.jobMetadata && kind == SwiftRuntime.Layout.continuationKind
  }

  private var kind: UInt8 { UInt8(truncatingIfNeeded: word(SwiftRuntime.Layout.flags)) }
}

/// A default actor, not retained.
struct ActorReference {
  let address: UnsafeRawPointer

  /// The actor itself; it must be alive, as it is while a job is queued on it.
  var object: any Actor {
    Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue() as! any Actor
  }

  /// Takes every job that the actor has queued, in the order in which they came.
  ///
  /// The actor's own job must not have begun, so that nothing else takes from the queue, and no other
  /// thread may use the actor.
  func takeJobs() -> [UnownedJob] {
    let jobs = queuedJobs
    UnsafeMutableRawPointer(mutating: address)
      .storeBytes(of: 0, toByteOffset: 8 * SwiftRuntime.Layout.actorQueue, as: UInt.self)
    return jobs
  }

  /// Every job that the actor has queued, in the order in which they came.
  ///
  /// The actor's own job must not have begun; other threads may add meanwhile.
  var queuedJobs: [UnownedJob] {
    let head = 8 * SwiftRuntime.Layout.actorQueue
    var jobs: [UnownedJob] = []
    var next = UnsafeRawPointer(bitPattern: address.load(fromByteOffset: head, as: UInt.self))
    while let address = next {
      jobs.append(unsafeBitCast(address, to: UnownedJob.self))
      next = UnsafeRawPointer(
        bitPattern: address.load(fromByteOffset: 8 * SwiftRuntime.Layout.link, as: UInt.self))
    }
    return jobs.reversed()
  }

  fileprivate var isIdle: Bool {
    address.load(fromByteOffset: 8 * SwiftRuntime.Layout.actorStatus, as: UInt32.self) & 0x7 == 0
      && address.load(fromByteOffset: 8 * SwiftRuntime.Layout.actorQueue, as: UInt.self) == 0
  }
}

@_silgen_name("swift_taskGroup_isCancelled")
private func isCancelled(group: UnsafeRawPointer) -> Bool

/// A task, not retained: it is alive until it is complete, and longer while its job is at hand.
struct TaskReference: Hashable, @unchecked Sendable {
  // Sendable: an address; what is read through it is read on the thread that runs the task.
  let address: UnsafeRawPointer

  init(_ job: UnownedJob) {
    address = job.address
  }

  /// - Parameter address: A task's.
  init(_ address: UnsafeRawPointer) {
    self.address = address
  }

  private var object: Unmanaged<AnyObject> { .fromOpaque(address) }

  /// The task that the calling thread runs.
  static var current: TaskReference? { interleaving_current_task().map { TaskReference($0) } }

  func retain() { _ = object.retain() }
  func release() { object.release() }

  private func word(_ index: Int) -> UInt {
    address.load(fromByteOffset: 8 * index, as: UInt.self)
  }

  private var status: UInt { word(SwiftRuntime.Layout.status) }
  var isComplete: Bool { status & SwiftRuntime.Layout.complete != 0 }
  var isCancelled: Bool { status & SwiftRuntime.Layout.cancelled != 0 }
  var priority: UInt8 { UInt8(truncatingIfNeeded: status) }

  /// Whether it is suspended, or about to be, with a record of what it waits for.
  var isDependent: Bool { status & SwiftRuntime.Layout.dependent != 0 }

  /// Whether cancelling it runs code or cancels others: it has children, a group or a handler.
  var hasMoreToCancel: Bool { records.contains { (1...3).contains(Self.kind(of: $0)) } }

  /// Whether it runs and has not been told to suspend; or is complete.
  var isRunning: Bool {
    isComplete || status & SwiftRuntime.Layout.running != 0 && !isDependent
  }

  /// Whether somebody holds the lock of its status, be it the calling thread; nil where that lock is not looked at.
  fileprivate var isStatusLocked: Bool? {
    #if canImport(Glibc)
      // It may be locked again by who holds it, so trying would not tell.
      (address + SwiftRuntime.Layout.statusLock).load(as: pthread_mutex_t.self).__data.__owner != 0
    #else
      nil
    #endif
  }

  /// Whether the group that the task is a child of is cancelled.
  var isGroupCancelled: Bool {
    UnsafeRawPointer(bitPattern: word(SwiftRuntime.Layout.group)).map {
      Interleaving.isCancelled(group: $0)
    } ?? false
  }

  /// Whether the task prefers an executor, as a child of one that does.
  var hasPreference: Bool { status & SwiftRuntime.Layout.preferring != 0 }

  var isGroupChild: Bool { word(SwiftRuntime.Layout.flags) & (1 << 26) != 0 }
  var isChild: Bool { word(SwiftRuntime.Layout.flags) & (1 << 24) != 0 }

  /// The task that cannot end before this one; nil if this is no child.
  var parent: TaskReference? {
    isChild
      ? UnsafeRawPointer(bitPattern: word(SwiftRuntime.Layout.parent)).map { TaskReference($0) }
      : nil
  }

  /// The records on the task's status, innermost first.
  private var records: some Sequence<UnsafeRawPointer> {
    sequence(
      first: UnsafeRawPointer(bitPattern: word(SwiftRuntime.Layout.innermostRecord)),
      next: { record in
        record.map {
          UnsafeRawPointer(bitPattern: $0.load(fromByteOffset: 8, as: UInt.self))
        }
      }
    )
    .prefix { $0 != nil }.lazy.map { $0! }
  }

  private static func kind(of record: UnsafeRawPointer) -> UInt8 { record.load(as: UInt8.self) }

  /// The name that the task was given, as by `Task(name:)`.
  var name: String? {
    guard let record = records.first(where: { Self.kind(of: $0) == 6 }),
      let text = UnsafePointer<CChar>(
        bitPattern: record.load(fromByteOffset: 16, as: UInt.self))
    else { return nil }
    return String(cString: text)
  }

  /// What a suspended task waits for.
  enum Wait: Equatable {
    case task(TaskReference)
    case continuation
    case group
  }

  /// What the task waits for, or nil while it is queued, runs or is complete.
  var wait: Wait? {
    guard status & SwiftRuntime.Layout.dependent != 0,
      let record = records.first(where: { Self.kind(of: $0) == 0 })
    else { return nil }
    switch record.load(fromByteOffset: 32, as: UInt32.self) {
    case 1:
      return UnsafeRawPointer(bitPattern: record.load(fromByteOffset: 16, as: UInt.self))
        .map { .task(TaskReference($0)) }
    case 2: return .continuation
    case 3: return .group
    default: return nil
    }
  }
}

// MARK: - Source lines

#if canImport(Glibc)
  extension SwiftRuntime {
    /// Where the running code was called from, by the nearest line outside this library.
    static var callSite: String? {
      guard let images, let backtrace = try? Backtrace.capture(limit: 32, images: images) else {
        return nil
      }
      for frame in backtrace.frames {
        let address = UInt64(frame.adjustedProgramCounter).map { UInt($0) } ?? 0
        if isOthers(address), let site = TaskReference.site(of: address) { return site }
      }
      return nil
    }

    /// What the running code does to a stream, by the runtime's own functions that it is in; nil if that is not known.
    static var streamCall: String? {
      let verbs = [
        "5yield": "yields to a stream", "4next": "takes from a stream",
        "6finish": "finishes a stream", "6cancel": "cancels a stream",
      ]
      var depth: Int32 = 0
      while let symbol = interleaving_runtime_caller(&depth) {
        let name = String(cString: symbol)
        guard let storage = name.firstRange(of: "8_StorageC") else { continue }
        let rest = name[storage.upperBound...]
        if let verb = verbs.first(where: { rest.hasPrefix($0.key) })?.value { return verb }
      }
      return nil
    }

    /// Whether an address lies in a function of the program's that is written in Swift, and is none of this library.
    private static func isOthers(_ address: UInt) -> Bool {
      var offset: UInt = 0
      guard let symbol = interleaving_symbol(interleaving_place(address), &offset) else {
        return false
      }
      return strncmp(symbol, "$s", 2) == 0 && !isOurs(symbol)
    }

    /// Whether source lines are looked up: the symbolicator does not survive a sanitizer's memory map.
    static let findsLines = !isSanitized

    /// What is loaded, looked at once, as the loader knows it; nil where the toolchain does not read it back.
    ///
    /// The toolchain itself would look at all memory for images, and what another thread gives back meanwhile ends the
    /// process. But it reads a list of images back from a coded form: the version, a name for the platform, and how many
    /// there are; of each the sizes of two numbers, its address and its size, no identifier, and its path in parts.
    private static let images: ImageMap? = {
      var images: [[UInt8]] = []
      withUnsafeMutablePointer(to: &images) { images in
        let add: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>, UInt, UInt) -> Void
        add = { images, path, address, size in
          var code: [UInt8] = [0b00_111_111]
          for number in [address, size] { withUnsafeBytes(of: number.bigEndian) { code += $0 } }
          code.append(0)
          var rest = Array(String(cString: path).utf8)[...]
          while !rest.isEmpty {
            let part = rest.prefix(63)
            code += [UInt8(part.count)] + part
            rest = rest.dropFirst(part.count)
          }
          images?.assumingMemoryBound(to: [[UInt8]].self).pointee.append(code + [0])
        }
        interleaving_list_images(add, images)
      }
      // A number has seven bits in a byte, the highest first; the highest bit says that there are more.
      var count = [UInt8(images.count & 0x7F)]
      for rest in sequence(first: images.count >> 7, next: { $0 >> 7 }).prefix(while: { $0 > 0 }) {
        count.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
      }
      return read(ImageMap.self, from: [2, 0] + count + images.joined())
    }()

    /// Reads what the toolchain writes as text.
    fileprivate static func read<Value: Decodable>(
      _ type: Value.Type, from bytes: [UInt8], in frame: (String) -> String = { $0 }
    ) -> Value? {
      let code = Data(bytes).base64EncodedString().prefix { $0 != "=" }
      return try? JSONDecoder().decode(type, from: Data(frame("\"\(code)\"").utf8))
    }

    /// A backtrace of one frame, with what is known of that.
    ///
    /// The toolchain symbolicates backtraces that it can read back from their coded form, so the frame is written in that
    /// form: one byte for the size of an address, one that marks a point of resumption, and the address.
    fileprivate static func symbolicated(_ frame: UInt, inlined: Bool) -> SymbolicatedBacktrace? {
      var bytes: [UInt8] = [2, 0x37]
      withUnsafeBytes(of: frame.bigEndian) { bytes += $0 }
      bytes.append(0)
      #if arch(x86_64)
        let architecture = "x86_64"
      #else
        let architecture = "arm64"
      #endif
      let backtrace = read(Backtrace.self, from: bytes) {
        #"{"architecture":"\#(architecture)","backtrace":\#($0)}"#
      }
      let options: Backtrace.SymbolicationOptions =
        inlined ? [.showSourceLocations, .showInlineFrames] : .showSourceLocations
      return images.flatMap { backtrace?.symbolicated(with: $0, options: options) }
    }

    /// Lines that were looked up, by frame.
    fileprivate static let sites = Mutex<[UInt: String?]>([:])

    /// The line of a place in the program, unless that is this library's.
    static func site(at place: UInt) -> String? {
      var offset: UInt = 0
      var source = interleaving_source()
      guard let symbol = interleaving_symbol(place, &offset),
        !isOurs(symbol),
        interleaving_source_of(place, &source), let file = source.file.map(String.init(cString:)),
        let directory = source.directory.map(String.init(cString:)),
        isWritten(directory + "/" + file)
      else { return nil }
      return "\(file.split(separator: "/").last ?? ""):\(source.line)"
    }

    /// Whether a file is one that somebody wrote, and none of the standard library's, which is inlined.
    private static func isWritten(_ path: String) -> Bool {
      !path.hasSuffix("<compiler-generated>") && !path.contains("/stdlib/")
    }

    /// The nearest line outside this library among the frames of a backtrace.
    fileprivate static func site(in backtrace: SymbolicatedBacktrace) -> String? {
      for case let symbol? in backtrace.frames.lazy.map(\.symbol)
      where !isOurs(symbol.rawName) {
        if let location = symbol.sourceLocation, location.line > 0, isWritten(location.path) {
          return "\(location.path.split(separator: "/").last ?? ""):\(location.line)"
        }
      }
      return nil
    }
  }

  extension SwiftRuntime {
    /// Why a strand traps, from what the runtime has said, which in optimised code is nothing.
    static func reason(of message: String, at place: Place?) -> String {
      let words = [
        "Fatal error", "Fatal access conflict", "Precondition failed", "Assertion failed",
      ]
      let start = words.compactMap { message.firstRange(of: $0)?.lowerBound }.min()
      let said = message[(start ?? message.startIndex)...].split(separator: "\n").first ?? ""
      // An address is another in each run.
      if !said.isEmpty { return String(said).replacing(#/ 0x[0-9a-f]+/#, with: "") }
      return place.flatMap(failure).map { "Fatal error: \($0)" } ?? "a trap"
    }

    /// What optimised code says of a trap: the name of a function that is inlined there.
    private static func failure(at place: Place) -> String? {
      guard findsLines else { return nil }
      let frame = interleaving_address(place.offset) - 1
      return failures.withLock { $0[frame] }
        ?? {
          let prefix = "Swift runtime failure: "
          let name = TaskReference.names(at: frame).first { $0.hasPrefix(prefix) }
          let found = name.map { String($0.dropFirst(prefix.count)) }
          failures.withLock { $0[frame] = .some(found) }
          return found
        }()
    }

    private static let failures = Mutex<[UInt: String?]>([:])

    /// What is set up once in the process, by the address of what tells whether it was; nil if it is something else.
    static func nameOfSetUp(at address: UnsafeRawPointer) -> String? {
      var offset: UInt = 0
      let prefix = "one-time initialization token for "
      guard
        let symbol = interleaving_symbol(interleaving_place(UInt(bitPattern: address)), &offset),
        let name = demangle(symbol)?.withoutDiscriminators, name.hasPrefix(prefix)
      else { return nil }
      return "the static or global “\(name.dropFirst(prefix.count))”"
    }

    /// The line of a place in the program; where that is not known or not looked up, its function.
    static func line(at place: Place, isLookedUp: Bool) -> String? {
      guard place.offset != 0 else { return nil }
      // It is where a call returns to: the call is before that.
      let frame = interleaving_address(place.offset) - 1
      if isLookedUp {
        if let site = TaskReference.site(of: frame) { return site }
        // Some calls have no line of their own, but what follows has one; unless the compiler wrote all of the function.
        var offset: UInt = 0
        let isNamed = interleaving_symbol(place.offset, &offset) != nil
        let isWritten = !isNamed || TaskReference.site(of: frame + 1 - offset) != nil
        for distance: UInt in isWritten ? [5, 10, 20, 40] : [] {
          if let site = TaskReference.site(of: frame + distance) { return site }
        }
      }
      return function(at: place)?.name ?? "0x" + String(place.offset, radix: 16)
    }
  }

  /// A thread on which all lines are looked up: the toolchain keeps what it has read of a program by thread, and reading
  /// it anew takes a tenth of a second.
  private final class Symbolicator: Sendable {
    static let shared = Symbolicator()

    private let work = Mutex<[@Sendable () -> Void]>([])
    private let isAsked = DispatchSemaphore(value: 0)

    init() {
      Thread.detachNewThread { [self] in
        while true {
          isAsked.wait()
          work.withLock { $0.removeFirst() }()
        }
      }
    }

    /// Runs code there, and waits until it is done.
    func run(_ body: @escaping @Sendable () -> String?) -> String? {
      let result = Mutex<String?>(nil)
      let isDone = DispatchSemaphore(value: 0)
      work.withLock {
        $0.append {
          let found = body()
          result.withLock { $0 = found }
          isDone.signal()
        }
      }
      isAsked.signal()
      isDone.wait()
      return result.withLock(\.self)
    }
  }

  extension TaskReference {
    /// The line where a suspended task goes on, by the nearest one outside this library.
    var awaitSite: String? {
      var frame = word(7)
      var context = UnsafeRawPointer(bitPattern: word(8))
      for _ in 1...32 {
        if let site = Self.site(of: frame) { return site }
        guard let current = context else { break }
        frame = current.load(fromByteOffset: 8, as: UInt.self)
        context = UnsafeRawPointer(bitPattern: current.load(as: UInt.self))
      }
      return nil
    }

    /// The function in which a task goes on that was suspended, with the line if that is to be found: the innermost of the scenario's that is no
    /// closure; else the innermost closure. Nil for one that has not begun.
    func resumption(findingLine: Bool) -> Trace.Place? {
      var frame = word(7)
      var context = UnsafeRawPointer(bitPattern: word(8))
      var closure: Trace.Place?
      for _ in 1...32 {
        let place = Place(interleaving_place(frame))
        if place.offset != 0, let function = SwiftRuntime.function(at: place), !function.isOurs,
          !function.isSwifts
        {
          let site = findingLine ? Self.site(of: frame)?.split(separator: ":") : nil
          let place = Trace.Place(
            function.name, file: site.map { String($0[0]) }, line: site.flatMap { Int($0[1]) })
          if !function.isClosure { return place }
          closure = closure ?? place
        }
        guard let current = context else { break }
        frame = current.load(fromByteOffset: 8, as: UInt.self)
        context = UnsafeRawPointer(bitPattern: current.load(as: UInt.self))
      }
      return closure
    }

    fileprivate static func site(of frame: UInt) -> String? {
      if let known = SwiftRuntime.sites.withLock({ $0[frame] }) { return known }
      let site = findSite(of: frame)
      SwiftRuntime.sites.withLock { $0[frame] = .some(site) }
      return site
    }

    private static func findSite(of frame: UInt) -> String? {
      let place = interleaving_place(frame)
      let site =
        place == 0
        ? symbolicatedSite(of: frame)
        : Symbolicator.shared.run { SwiftRuntime.site(at: place) }
      #if DEBUG
        return site
      #else
        // What is inlined, as nothing is in debug, the toolchain looks up, which takes long.
        return site ?? lookUp(frame, inlined: true) { SwiftRuntime.site(in: $0) }
      #endif
    }

    /// The line of a frame, by the toolchain's symbolicator.
    static func symbolicatedSite(of frame: UInt) -> String? {
      lookUp(frame, inlined: false) { SwiftRuntime.site(in: $0) }
    }

    /// The functions whose code is at a frame, inlined ones first, by the names that people gave them.
    fileprivate static func names(at frame: UInt) -> [String] {
      lookUp(frame, inlined: true) { backtrace in
        backtrace.frames.compactMap(\.symbol).map(\.name).joined(separator: "\n")
      }?.split(separator: "\n").map(String.init) ?? []
    }

    private static func lookUp(
      _ frame: UInt, inlined: Bool,
      _ find: @escaping @Sendable (SymbolicatedBacktrace) -> String?
    ) -> String? {
      Symbolicator.shared.run {
        SwiftRuntime.symbolicated(frame, inlined: inlined).flatMap(find)
      }
    }
  }
#else
  extension SwiftRuntime {
    static let findsLines = false
    static var callSite: String? { nil }
    static var streamCall: String? { nil }
    static func line(at place: Place, isLookedUp: Bool) -> String? { nil }
    static func reason(of message: String, at place: Place?) -> String { message }
    static func nameOfSetUp(at address: UnsafeRawPointer) -> String? { nil }
  }

  extension TaskReference {
    var awaitSite: String? { nil }
    func resumption(findingLine: Bool) -> Trace.Place? { nil }
  }
#endif

// MARK: - Verification

/// Runs two tasks on an actor of its own and compares what `Layout` says with what is known of them.
private final class LayoutProbe: TaskExecutor, @unchecked Sendable {
  // Sendable: one thread makes the probe, runs its jobs and drops it.
  private var jobs: [UnownedJob] = []
  /// Whether what its tasks find, of themselves and of their children, is as expected; nil where they find nothing.
  private var facts: [Bool?] = []
  private var cancelled: TaskReference?

  private actor Subject {
    var runs = 0
    func run() { runs += 1 }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    jobs.append(UnownedJob(job))
  }

  func bearsOut(_ layout: SwiftRuntime.Layout) -> Bool {
    let subject = Subject()
    let address = UnsafeRawPointer(Unmanaged.passUnretained(subject).toOpaque())
    let handles = ["first", "second"].map { name in
      Task(name: name, executorPreference: self) { await subject.run() }
    }
    // Both tasks begin and ask for the actor; the first brings the actor's own job with it.
    guard jobs.count == 2, jobs.allSatisfy({ $0.isTask(in: layout) }) else { return false }
    let tasks = jobs
    let references = tasks.map(TaskReference.init)
    for reference in references { reference.retain() }
    defer { for reference in references { reference.release() } }
    guard references.map(\.name) == ["first", "second"],
      references.allSatisfy(\.hasPreference),
      !references.contains(where: { $0.isComplete || $0.isChild || $0.isGroupChild }),
      runAll() == 2, jobs.count == 1, let drain = jobs.first,
      !drain.isContinuation(in: layout),
      let actor = drain.drainedActor(in: layout), actor.address == address
    else {
      _ = runAll(rounds: 8)
      return false
    }
    let queued = actor.takeJobs()
    guard queued.map(\.address) == tasks.map(\.address) else {
      // The queue is lost; what it held is two tasks of this probe.
      return false
    }
    jobs = []
    drain.runSynchronously(on: asUnownedTaskExecutor())
    guard actor.isIdle, !references[0].isComplete else { return false }
    handles[1].cancel()
    for job in queued {
      job.runSynchronously(
        isolatedTo: subject.unownedExecutor, taskExecutor: asUnownedTaskExecutor())
    }
    _ = runAll(rounds: 4)
    return references.allSatisfy(\.isComplete) && references.map(\.isCancelled) == [false, true]
      && actor.isIdle && references.allSatisfy { $0.wait == nil } && bearsOutChild()
  }

  /// A task that cancels its group, waits for the child in it, and is cancelled meanwhile.
  private func bearsOutChild() -> Bool {
    let handle = Task(executorPreference: self) {
      await withTaskCancellationHandler {
        await withTaskGroup { group in
          group.addTask {}
          let child = self.jobs.first.map(TaskReference.init)
          self.facts += [TaskReference.current?.isRunning, child.map { !$0.isGroupCancelled }]
          group.cancelAll()
          self.facts.append(child?.isGroupCancelled)
        }
      } onCancel: {
        self.facts.append(self.cancelled?.isStatusLocked)
      }
    }
    guard let parent = jobs.first.map(TaskReference.init), jobs.count == 1 else { return false }
    parent.retain()
    defer { parent.release() }
    guard runAll() == 1, let child = jobs.first.map(TaskReference.init), jobs.count == 1 else {
      return false
    }
    let isBorneOut =
      child.isChild && child.isGroupChild && child.parent == parent
      && parent.parent == nil && parent.wait == .group
      && !parent.isRunning && parent.hasMoreToCancel && parent.isStatusLocked != true
    cancelled = parent
    handle.cancel()
    _ = runAll(rounds: 4)
    return isBorneOut && parent.isComplete && facts.count == 4 && !facts.contains(false)
  }

  private func runAll(rounds: Int = 1) -> Int {
    var count = 0
    for _ in 0..<rounds {
      let ready = jobs
      jobs = []
      for job in ready { job.runSynchronously(on: asUnownedTaskExecutor()) }
      count += ready.count
    }
    return count
  }
}
