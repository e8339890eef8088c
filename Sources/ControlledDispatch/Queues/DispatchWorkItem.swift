import Interleaving

/// The stand-in for Dispatch's work item.
public final class DispatchWorkItem: Sendable {
  let flags: DispatchWorkItemFlags
  private let block: @Sendable () -> Void
  private let cancellation = ControlledObject("DispatchWorkItem")
  /// Held until the item has run once.
  private let done = ControlledObject("the end of DispatchWorkItem", .holds(Holds(first: 0)))
  private let state = PerExecution { State() }

  private final class State {
    var isCancelled = false
  }

  /// - Parameters:
  ///   - qos: Of no effect here.
  ///   - flags: `.barrier` counts where the item is submitted.
  ///   - block: What it does.
  public init(
    qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    block: @escaping @Sendable () -> Void
  ) {
    self.flags = flags
    self.block = block
  }

  /// Runs the block now, unless the item was cancelled.
  public func perform() { run() }

  /// Keeps the block from running, if it has not begun.
  public func cancel() {
    cancellation.perform(.store, "cancels")
    state(control).isCancelled = true
  }

  /// Whether it was cancelled.
  public var isCancelled: Bool {
    cancellation.perform(.load, "asks whether cancelled:")
    return state(control).isCancelled
  }

  /// Waits until the item has run.
  public func wait() {
    done.perform(.proceed, "finds")
  }

  /// Waits until the item has run, or until a moment of virtual time.
  public func wait(timeout: DispatchTime) -> DispatchTimeoutResult {
    control.perform(done.use(.proceed), before: timeout, "finds \(done.name)")
  }

  /// Submits a block to a queue when the item has run.
  public func notify(
    qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], queue: DispatchQueue,
    execute work: @escaping @Sendable () -> Void
  ) {
    queue.async(when: VisibleOperation([done.use(.proceed)]), flags, work)
  }

  /// Submits another item to a queue when this one has run.
  public func notify(queue: DispatchQueue, execute workItem: DispatchWorkItem) {
    notify(flags: workItem.flags, queue: queue) { workItem.run() }
  }

  func run() {
    if !isCancelled { block() }
    done.perform(.letGo(by: 0), "reaches")
  }

  func isSubmitted(to strand: Int?) { control.expect(done.number, from: strand) }

  private var control: Control { cancellation.control }
}

/// How a block is submitted; here only `.barrier` makes a difference.
public struct DispatchWorkItemFlags: OptionSet, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let barrier = Self(rawValue: 1)
  public static let detached = Self(rawValue: 2)
  public static let assignCurrentContext = Self(rawValue: 4)
  public static let noQoS = Self(rawValue: 8)
  public static let inheritQoS = Self(rawValue: 16)
  public static let enforceQoS = Self(rawValue: 32)
}
