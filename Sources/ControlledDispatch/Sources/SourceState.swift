import Interleaving

/// What a source is in one execution: what has arrived, and what is to be called next. It calls nothing itself.
final class SourceState {
  enum Kind: String { case timer, add, or, replace }

  enum Role { case event, cancellation, registration }

  struct Handler {
    let run: () -> Void
    let flags: DispatchWorkItemFlags

    init(_ block: @escaping () -> Void, _ flags: DispatchWorkItemFlags) {
      run = block
      self.flags = flags
    }

    init(_ item: DispatchWorkItem) { self.init({ item.run() }, item.flags) }
  }

  /// What is called next.
  enum Call {
    case registration(Handler)
    case event(Handler?)
    case cancellation([Role: Handler])
  }

  /// When a timer is due next, in milliseconds, and how long after that again.
  struct Schedule {
    var next: Int
    let interval: Int?
  }

  let kind: Kind
  var queue: DispatchQueue
  private(set) var isActive = false
  var suspensions = 0
  private(set) var isCancelled = false
  /// Whether the queue has learnt that it was cancelled.
  private var isFinished = false
  /// Whether nobody keeps it any more.
  private(set) var isReleased = false
  var handlers: [Role: Handler] = [:]
  /// What has arrived and was not handed to the handler.
  private var pending: UInt = 0
  private(set) var data: UInt = 0
  /// Whether its time has come and the handler was not called.
  private(set) var isDue = false
  private(set) var schedule: Schedule?
  /// How often it has fired.
  private(set) var firings = 0
  /// Whether a strand waits in the queue to call handlers, or calls them.
  var isQueued = false
  /// Whether it has yet to come to its place in the queue, from where it is active.
  private var isToBeInstalled = false
  /// What the strand waits for that waits for its time; nil if none does.
  var alarm: ObjectID?

  init(_ kind: Kind, _ queue: DispatchQueue) {
    self.kind = kind
    self.queue = queue
  }

  private var isOver: Bool { isCancelled || isReleased }

  /// How a strand comes to the queue that calls handlers.
  var flags: DispatchWorkItemFlags { handlers[.event]?.flags ?? [] }

  /// Whether a strand should call handlers, and none is in the queue.
  var wantsQueueing: Bool {
    guard isActive, suspensions == 0, !isQueued else { return false }
    if isCancelled { return !isFinished || !handlers.isEmpty }
    return !isReleased
      && (isToBeInstalled || handlers[.registration] != nil || pending != 0 || isDue)
  }

  /// When a strand should wake it; nil if none should wait for that, or one does.
  var wantsAlarm: Int? {
    guard isActive, !isOver, alarm == nil, !isDue, let next = schedule?.next, next != .max
    else { return nil }
    return next
  }

  func activate() {
    guard !isActive else { return }
    isActive = true
    // A timer comes to the queue when it is due.
    isToBeInstalled = kind != .timer
  }

  /// - Returns: Whether it was suspended or inactive.
  func resume() -> Bool {
    if suspensions > 0 {
      suspensions -= 1
    } else if !isActive {
      activate()
    } else {
      return false
    }
    return true
  }

  func cancel() {
    isCancelled = true
    drop()
  }

  func release() {
    isReleased = true
    drop()
  }

  private func drop() {
    (pending, isDue, schedule) = (0, false, nil)
  }

  func arrive(_ more: UInt) {
    guard !isOver else { return }
    switch kind {
    case .add: pending &+= more
    case .or: pending |= more
    case .replace: pending = more
    case .timer: break
    }
  }

  func set(_ schedule: Schedule) {
    guard !isOver else { return }
    self.schedule = schedule
    isDue = false
  }

  func fire() {
    isDue = true
    firings += 1
  }

  /// Takes what is to be called next by the strand that has come to its turn in the queue.
  ///
  /// - Parameters:
  ///   - now: The moment of virtual time.
  ///   - hasCalled: Whether the strand has called the event handler, which it does once.
  func takeCall(at now: Int, hasCalled: Bool) -> Call? {
    guard suspensions == 0 else { return nil }
    isToBeInstalled = false
    if isCancelled {
      (data, isFinished) = (0, true)
      guard !handlers.isEmpty else { return nil }
      // Whoever calls it releases them: the last reference to the source may be theirs.
      let handlers = handlers
      self.handlers = [:]
      return .cancellation(handlers)
    }
    guard !isReleased else { return nil }
    if let handler = handlers.removeValue(forKey: .registration) { return .registration(handler) }
    guard !hasCalled, pending != 0 || isDue else { return nil }
    data = isDue ? takePeriods(until: now) : pending
    pending = 0
    return .event(handlers[.event])
  }

  /// How often the timer has been due, once at the least.
  private func takePeriods(until now: Int) -> UInt {
    isDue = false
    guard let first = schedule?.next, let interval = schedule?.interval else {
      schedule = nil
      return 1
    }
    let periods = 1 + max(0, now - first) / interval
    let (next, isTooFar) = first.addingReportingOverflow(periods * interval)
    schedule?.next = isTooFar ? .max : next
    return UInt(periods)
  }
}
