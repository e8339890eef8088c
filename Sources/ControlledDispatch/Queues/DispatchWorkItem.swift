import Interleaving

/// The stand-in for Dispatch's work item.
public final class DispatchWorkItem: Sendable {
  let flags: DispatchWorkItemFlags
  private let block: @Sendable () -> Void
  private let cancellation = ControlledObject("DispatchWorkItem")
  /// Empty as soon as the item has run once.
  private let done = ControlledObject(
    "the end of DispatchWorkItem", .group(entered: 1, emptied: 0))
  private let waits = ControlledObject("the waits for DispatchWorkItem")
  private let state = PerExecution { State() }

  private final class State {
    var isCancelled = false
    /// How often it has run.
    var runs = 0
    /// Whether somebody waits or has waited for it.
    var isWaitedFor = false
    /// Whether somebody has waited for it.
    var wasWaitedFor = false
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

  /// Waits until the item has run, which may be done once.
  public func wait() { _ = wait(timeout: .distantFuture) }

  /// Waits until the item has run, or until a moment of virtual time; once it has run, nobody may wait again.
  public func wait(timeout: DispatchTime) -> DispatchTimeoutResult {
    let control = control
    let state = state(control)
    waits.perform(.update, "comes to wait for the end of")
    guard !state.isWaitedFor else {
      control.trap("waits for \(name), for which another wait has been: Dispatch permits one")
    }
    state.isWaitedFor = true
    let result = control.perform(
      [done.use(.pass(emptied: 1)), waits.use(.update)], before: timeout, "finds \(done.name)")
    guard result == .success else {
      waits.perform(.update, "no longer waits for the end of")
      state.isWaitedFor = false
      return result
    }
    refuseSecondRun("waits for")
    state.wasWaitedFor = true
    return result
  }

  /// Submits a block to a queue when the item has run.
  public func notify(
    qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], queue: DispatchQueue,
    execute work: @escaping @Sendable () -> Void
  ) {
    guard done.perform(.arrive, "asks for") == .refused else {
      refuseSecondRun("asks to be notified of")
      return queue.async(flags: flags, execute: work)
    }
    queue.async(when: VisibleOperation([done.use(.pass(emptied: 1))]), flags, work)
  }

  /// Submits another item to a queue when this one has run.
  public func notify(queue: DispatchQueue, execute workItem: DispatchWorkItem) {
    notify(flags: workItem.flags, queue: queue) { workItem.run() }
  }

  func run() {
    let control = control
    control.perform(
      VisibleOperation([cancellation.use(.load), done.use(.arrive)]), "begins \(name)")
    let state = state(control)
    let isCancelled = state.isCancelled
    if state.runs > 0 {
      waits.perform(.load, "asks about")
      guard !state.wasWaitedFor else {
        control.trap("runs \(name) again after a wait for it: Dispatch permits one run")
      }
    }
    if !isCancelled { block() }
    // Only the first run empties it.
    done.perform(.leave, "reaches")
    state.runs += 1
  }

  private func refuseSecondRun(_ verb: String) {
    if state(control).runs > 1 {
      control.trap("\(verb) \(name), which has run more than once: Dispatch permits one run")
    }
  }

  private var name: String { cancellation.name }

  func isSubmitted(to strand: StrandID?) { control.expect(done.id, from: strand) }

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
