import Interleaving

/// What a source is in one execution: what has arrived, and what is to be called next. It calls nothing itself.
final class SourceState {
  enum Kind: String {
    case timer, add, or, replace, read, write, signal

    /// Whether Dispatch's manager watches what it waits for.
    var isWatching: Bool { direction != nil || self == .signal }

    /// Which way goes what it waits for; nil if that is none of a descriptor's.
    var direction: Direction? {
      switch self {
      case .read: .reading
      case .write: .writing
      default: nil
      }
    }
  }

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
  /// The gate that is open as long as a strand may wait for its time, or for its descriptor, and the moment that this is; nil
  /// if none does.
  var alarm: (gate: ObjectID, moment: Int?)?
  /// The number of the descriptor that it watches, or the signal.
  let number: Int32
  /// Whether it watches it.
  private(set) var isRegistered = false
  /// Whether it is over and does not watch it any more.
  private(set) var isUnwatched = false
  /// Whether Dispatch's manager is to begin or end that.
  var isManaged = false
  /// How often what it watches was changed when it last fired, and how often it has fired since without a change.
  private var lastVersion: Int?
  private var repetitions = 0

  init(_ kind: Kind, _ queue: DispatchQueue, number: Int32 = 0) {
    self.kind = kind
    self.queue = queue
    self.number = number
  }

  private var isOver: Bool { isCancelled || isReleased }

  /// How a strand comes to the queue that calls handlers.
  var flags: DispatchWorkItemFlags { handlers[.event]?.flags ?? [] }

  /// Whether a strand should call handlers, and none is in the queue.
  var wantsQueueing: Bool {
    guard isActive, suspensions == 0, !isQueued, isReadyForHandlers else { return false }
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

  /// Whether the manager should begin to watch its descriptor, or end that.
  var wantsManager: Bool {
    guard kind.isWatching, isActive, suspensions == 0, !isManaged, !isQueued else {
      return false
    }
    return isOver ? !isUnwatched : !isRegistered
  }

  /// The manager has come to it.
  ///
  /// - Returns: Whether it has been watched before, and is now.
  func takeTurnOfManager() -> (before: Bool, now: Bool) {
    defer {
      isManaged = false
      (isRegistered, isUnwatched) = (!isOver, isOver)
    }
    return (isRegistered, !isOver)
  }

  /// Whether handlers may be called, of what watches a descriptor: once it does, and at the end when it does not any more.
  private var isReadyForHandlers: Bool {
    !kind.isWatching || (isOver ? isUnwatched : isRegistered)
  }

  /// Whether a strand should wait for its descriptor, and none does.
  var wantsWatch: Bool {
    isRegistered && !isOver && alarm == nil && !isDue && !isQueued && suspensions == 0
  }

  /// Whether it would tell again what it has told: that is allowed once at any step.
  func repeats(_ version: Int) -> Bool { version == lastVersion && repetitions > 0 }

  /// What it watches can be read or written.
  func fire(_ amount: Int, version: Int) {
    repetitions = version == lastVersion ? repetitions + 1 : 0
    lastVersion = version
    pending = UInt(amount)
    isDue = true
  }

  func activate() {
    guard !isActive else { return }
    isActive = true
    // A timer comes to the queue when it is due, and what watches a descriptor when it does so.
    isToBeInstalled = kind != .timer && !kind.isWatching
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
    case .signal: (pending, isDue) = (more, true)
    case .timer, .read, .write: break
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
  ///   - isFirst: Whether the strand has called no handler. Once it has, it asks no more whether the source is suspended.
  func takeCall(at now: Int, hasCalled: Bool, isFirst: Bool) -> Call? {
    guard !isFirst || suspensions == 0, isReadyForHandlers else { return nil }
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
    data = kind == .timer ? takePeriods(until: now) : pending
    (pending, isDue) = (0, false)
    return .event(handlers[.event])
  }

  /// How often the timer has been due, once at the least.
  private func takePeriods(until now: Int) -> UInt {
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
