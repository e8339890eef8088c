import Interleaving

import struct Foundation.Date
import class Foundation.NSMutableDictionary
import enum Foundation.QualityOfService

/// The stand-in for Foundation's thread. Two are equal if they are one and the same.
open class Thread: Hashable, @unchecked Sendable {
  // Sendable: only the strand that has the turn uses it.
  private let status: ObjectIdentity
  private let record: PerExecution<ThreadRecord>
  private let block: (@Sendable () -> Void)?

  /// A name for people and for reports; a report uses what it is when the thread is started.
  open var name: String?

  /// Of no effect here.
  open var qualityOfService: QualityOfService = .default

  private var size = 8 << 20

  /// The size of its stack in bytes, of no effect here; what is less than 16,384 is ignored, as by Linux.
  open var stackSize: Int {
    get { size }
    set { if newValue >= 16_384 { size = newValue } }
  }

  /// Makes a thread; what it does is in an overridden `main`.
  public init() {
    block = nil
    status = ObjectIdentity()
    record = PerExecution { ThreadRecord(.idle) }
  }

  /// Makes a thread of one block.
  public init(block: @escaping @Sendable () -> Void) {
    self.block = block
    status = ObjectIdentity()
    record = PerExecution { ThreadRecord(.idle) }
  }

  /// Makes the main thread.
  private init(outlives: Bool) {
    block = nil
    status = ObjectIdentity(outlives: outlives)
    record = PerExecution { ThreadRecord(.executing) }
  }

  /// What it does.
  open func main() { block?() }

  /// Starts it, once; one that was cancelled before ends at once.
  open func start() {
    let control = control
    let record = record(control)
    perform(.update, "starts", control)
    guard record.phase == .idle else {
      control.trap("starts \(title(control)), which has been started already")
    }
    guard !record.isCancelled else {
      record.phase = .finished
      return
    }
    record.phase = .starting
    control.begin(title(control)) { [self] in
      perform(.store, "begins", control)
      record.phase = .executing
      Self.all(control).threads[control.strand] = self
      main()
      end(control)
    }
  }

  /// Asks it to end: it must look at `isCancelled` itself.
  open func cancel() {
    let control = control
    perform(.store, "cancels", control)
    record(control).isCancelled = true
  }

  /// Whether it was cancelled.
  open var isCancelled: Bool { load("isCancelled").isCancelled }

  /// Whether it has begun and not ended.
  open var isExecuting: Bool { load("isExecuting").phase == .executing }

  /// Whether it has ended.
  open var isFinished: Bool { load("isFinished").phase == .finished }

  /// What its own code keeps with it, from its making on.
  open var threadDictionary: NSMutableDictionary { record(control).dictionary }

  public static func == (first: Thread, second: Thread) -> Bool { first === second }

  open func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  // MARK: The main thread

  /// Whether it is the thread that runs what is on the main queue.
  open var isMainThread: Bool { self === Self.mainThread }

  /// Whether the caller runs on the main queue, as the main actor, or in an operation of the main
  /// operation queue.
  ///
  /// The scenario's own code, strands and what other queues run are not on the main thread.
  open class var isMainThread: Bool { runsOnMain(Control.current(for: "Thread")) }

  /// The thread that runs what is on the main queue.
  open class var mainThread: Thread { theMain }

  private static let theMain = Thread(outlives: true)

  #if canImport(Darwin)
    /// The thread that runs what is on the main queue.
    open class var main: Thread { mainThread }
  #endif

  /// Whether there is more than one thread.
  open class func isMultiThreaded() -> Bool { true }

  private static func runsOnMain(_ control: Control) -> Bool {
    control.isOnMainActor || StrandContext.current(control).runs(on: .main)
  }

  // MARK: The calling thread

  /// The thread that runs the calling strand; one that no `Thread` began gets one when it asks.
  open class var current: Thread {
    let control = Control.current(for: "Thread")
    if runsOnMain(control) { return mainThread }
    if let thread = all(control).threads[control.strand] { return thread }
    let thread = Thread()
    thread.record(control).phase = .executing
    all(control).threads[control.strand] = thread
    return thread
  }

  /// Starts a thread of one block.
  open class func detachNewThread(_ block: @escaping @Sendable () -> Void) {
    Thread(block: block).start()
  }

  /// Waits in virtual time; what is finer than a millisecond is rounded up.
  open class func sleep(forTimeInterval interval: Double) {
    guard interval > 0 else { return }
    Control.current(for: "Thread").sleep(
      until: DispatchTime.now() + interval, "sleeps for \(interval) s")
  }

  /// Waits for a moment of virtual time.
  open class func sleep(until date: Date) {
    let control = Control.current(for: "Thread")
    control.sleep(until: DispatchTime(date, control), "sleeps until \(date)")
  }

  /// Ends the calling thread where it is; nothing on its stack is released, no lock given back.
  open class func exit() {
    let control = Control.current(for: "Thread")
    current.end(control)
    control.exit()
  }

  private static let all = PerExecution { All() }

  private final class All {
    var threads: [StrandID: Thread] = [:]
  }
}

/// What a thread is in one execution.
private final class ThreadRecord {
  enum Phase { case idle, starting, executing, finished }

  var phase: Phase
  var isCancelled = false
  lazy var dictionary = NSMutableDictionary()

  init(_ phase: Phase) { self.phase = phase }
}

extension Thread {
  private var control: Control { Control.current(for: "Thread") }

  private func title(_ control: Control) -> String {
    let status = status(control)
    control.name(status, kind: "\(type(of: self))", label: name)
    return control.name(of: status)
  }

  private func perform(_ action: Action, _ verb: @autoclosure () -> String, _ control: Control) {
    let title = title(control)
    control.perform(
      VisibleOperation(
        [.init(action, status(control), initially: .variable)]), "\(verb()) \(title)")
  }

  private func load(_ property: String) -> ThreadRecord {
    let control = control
    perform(.load, "asks for \(property) of", control)
    return record(control)
  }

  private func end(_ control: Control) {
    perform(.store, "ends", control)
    record(control).phase = .finished
    Self.all(control).threads[control.strand] = nil
  }
}
