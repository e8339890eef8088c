import Interleaving

/// What a source does, on the strands of others and on its own: it outlives the source, whose last reference
/// may go while a handler runs.
final class SourceCore: Sendable {
  private let object: ControlledObject
  private let state: PerExecution<SourceState>
  /// The descriptor that it watches, or the signal; 0 if it watches none.
  let number: Int32

  init(_ kind: SourceState.Kind, _ queue: DispatchQueue?, number: Int32 = 0) {
    self.number = number
    object = ControlledObject("\(kind) source")
    // What has no queue of its own gets a thread whenever it needs one, as a serial queue does.
    let queue = queue ?? DispatchQueue(label: "of \(kind) source")
    state = PerExecution { SourceState(kind, queue, number: number) }
  }

  private var control: Control { object.control }

  // MARK: What its users do

  /// Reads the state.
  func read(_ verb: String) -> SourceState {
    object.perform(.load, verb)
    return state(control)
  }

  /// Changes the state in one step, and comes to the queue in the next if it wants to.
  func act(_ verb: @autoclosure () -> String, _ change: (SourceState) -> Void) {
    let control = control
    let state = state(control)
    perform(verb())
    change(state)
    follow(state, control)
  }

  func set(_ role: SourceState.Role, _ handler: SourceState.Handler?) {
    // It is released when the step has been made: its release may be a step.
    var old: SourceState.Handler?
    act("sets a handler of") { state in
      old = state.handlers[role]
      state.handlers[role] = handler
    }
    withExtendedLifetime(old) {}
  }

  func arrive(_ data: UInt, as kind: SourceState.Kind, _ verb: @autoclosure () -> String) {
    check(kind)
    act(verb()) { $0.arrive(data) }
  }

  func resume() {
    var wasResumed = false
    act("resumes") { wasResumed = $0.resume() }
    if !wasResumed { control.trap("resumes \(object.name), which is active and not suspended") }
  }

  func cancel() {
    let control = control
    act("cancels") { state in
      state.cancel()
      silence(state, control)
    }
  }

  /// The last reference to the source goes.
  func release() {
    guard let control = Control.current, control.strand != .outside else { return }
    let state = state(control)
    if !state.isActive || state.suspensions > 0 {
      control.trap(
        "releases \(object.name), which is "
          + (state.isActive
            ? "suspended: Dispatch wants it resumed first"
            : "inactive: Dispatch wants it activated first"))
    }
    // A cancelled one is over already: who of several drops the last reference then must not be seen.
    guard !state.isCancelled else { return }
    var handlers: [SourceState.Role: SourceState.Handler] = [:]
    act("releases") { state in
      state.release()
      silence(state, control)
      swap(&handlers, &state.handlers)
    }
    withExtendedLifetime(handlers) {}
  }

  private func check(_ kind: SourceState.Kind) {
    guard state(control).kind != kind else { return }
    control.trap("uses \(object.name) as if it were one of another kind")
  }

  // MARK: Handlers

  private func perform(_ verb: @autoclosure () -> String, _ more: [VisibleOperation.Use] = []) {
    control.perform(
      VisibleOperation([object.use(.update)] + more), "\(verb()) \(object.name)")
  }

  /// Does what the state wants, in the step under way, which has changed it.
  private func follow(_ state: SourceState, _ control: Control) {
    if state.wantsQueueing {
      // As a barrier, whatever its flags are by then: what a step touches must not depend on others.
      control.goOn(with: state.queue.useOfSubmitting(.barrier))
      control.note("submits it")
      state.isQueued = true
      state.queue.put(state.flags) { self.deliver() }
    }
    if let moment = state.wantsAlarm { setAlarm(at: moment, state, control) }
    if state.wantsWatch { watch(state, control) }
    if state.wantsManager { hand(state, control) }
  }

  /// Calls handlers, on the strand that has come to its turn in the queue.
  private func deliver() {
    let control = control
    let state = state(control)
    var (hasCalled, isFirst) = (false, true)
    while true {
      // What a timer hands to its handler depends on the time.
      perform(
        "looks at", state.kind == .timer ? [.init(.read, .clock, initially: .clock([]))] : [])
      let call = state.takeCall(at: control.now, hasCalled: hasCalled, isFirst: isFirst)
      isFirst = false
      switch call {
      case .registration(let handler): handler.run()
      case .event(let handler):
        hasCalled = true
        control.note("hands over \(state.data)")
        handler?.run()
      case .cancellation(let handlers): handlers[.cancellation]?.run()
      case nil:
        state.isQueued = false
        return follow(state, control)
      }
    }
  }

  // MARK: Time

  func schedule(_ deadline: DispatchTime, seconds: Double) {
    let milliseconds = seconds == .infinity ? nil : Int(exactly: (seconds * 1000).rounded(.up))
    guard seconds == .infinity || milliseconds != nil else { refuse("\(seconds) s") }
    schedule(deadline, milliseconds)
  }

  /// - Parameter interval: In milliseconds; nil for never again.
  func schedule(_ deadline: DispatchTime, _ interval: Int?) {
    check(.timer)
    if let interval, interval < 0 { refuse("\(interval) ms") }
    let control = control
    act("schedules") { state in
      state.set(.init(next: deadline.milliseconds, interval: interval.map { max(1, $0) }))
      silence(state, control)
    }
  }

  private func refuse(_ interval: String) -> Never {
    control.trap("repeats \(object.name) after \(interval), which Dispatch refuses")
  }

  /// Lets a strand wait for the moment at which the timer is due.
  private func setAlarm(at moment: Int, _ state: SourceState, _ control: Control) {
    let isAhead = state.firings < RepeatingTimers.ahead(control)
    let alarm = control.makeObject()
    var operation = VisibleOperation(
      [object.use(.update), control.armAtOnce(moment), Self.useOfAlarm(.goThrough, alarm)],
      waitsForIdle: !isAhead)
    operation.goesOn = true
    state.alarm = (alarm, moment)
    control.begin(when: operation, "\(object.name) fires") { _ in
      guard isAhead || !control.isScenarioOver else { return }
      control.note("fires \(self.object.name)")
      state.alarm = nil
      state.fire()
      self.follow(state, control)
    }
  }

  private static func useOfAlarm(_ action: Action, _ alarm: ObjectID) -> VisibleOperation.Use {
    .init(action, alarm, initially: .gate(closed: 0))
  }

  // MARK: What Dispatch's manager watches

  /// Lets the manager begin to watch the descriptor or the signal, or end that.
  private func hand(_ state: SourceState, _ control: Control) {
    state.isManaged = true
    let turn = { [self] in
      let control = self.control
      let (wasWatched, isWatched) = state.takeTurnOfManager()
      if wasWatched != isWatched { watch(state.kind, isWatched, control) }
      if isWatched { watch(state, control) }
      follow(state, control)
    }
    if state.kind == .signal {
      SignalTable.current(object.kind).manage(number, using: object.use(.update), turn)
    } else {
      KernelState.current(object.kind).manage(number, using: object.use(.update), turn)
    }
  }

  /// The manager begins to watch, or ends that, in the step under way.
  private func watch(_ kind: SourceState.Kind, _ isWatched: Bool, _ control: Control) {
    if kind == .signal {
      SignalTable.current(object.kind).watch(number, for: self, isWatched)
    } else {
      KernelState.current(object.kind).watch(number, isWatched)
    }
    let what = kind == .signal ? "signal" : "descriptor"
    control.note("\(isWatched ? "watches" : "no longer watches") \(what) \(number)")
  }

  /// The manager has read the signal, in the step under way.
  ///
  /// - Parameter isAlone: Whether the source is told in a step of its own.
  func signalHasCome(alone isAlone: Bool) {
    let control = control
    let state = state(control)
    guard isAlone else {
      control.goOn(with: object.use(.update))
      state.arrive(1)
      return follow(state, control)
    }
    control.begin(when: VisibleOperation([object.use(.update)]), "Dispatch") { _ in
      state.arrive(1)
      self.follow(state, self.control)
    }
  }

  /// Lets a strand wait until the descriptor can be read or written, in the step under way.
  private func watch(_ state: SourceState, _ control: Control) {
    guard let direction = state.kind.direction,
      let file = KernelState.current(object.kind).watched(at: number),
      let waitable = file.waitable(direction)
    else { return }
    control.goOn(with: waitable.use(.update))
    guard file.isOpen else { return }
    let gate = control.makeObject()
    // What it has told, and told again, it tells once more when nothing else can go on.
    let repeats = waitable.amount(direction) != nil && state.repeats(waitable.version)
    if waitable.amount(direction) != nil, !repeats {
      control.goOn(with: Waitable.use(.open, of: gate))
    } else {
      waitable.tell(Waiter(gate: gate, file: file, direction: direction))
    }
    let alarm = control.makeObject()
    state.alarm = (alarm, nil)
    var operation = VisibleOperation([
      Waitable.use(.goThrough, of: gate), waitable.use(.load), object.use(.update),
      Self.useOfAlarm(.goThrough, alarm),
    ])
    operation.goesOn = true
    if repeats {
      // No other moment is so late: it comes when nothing else can go on.
      let moment = max(1 << 61, control.now) + 1
      operation.uses.append(.init(.expire(moment), control.makeObject(), initially: .clock([])))
      (operation.givesUp, operation.waitsForIdle) = (true, true)
    }
    control.begin(when: operation, "\(object.name) fires") { result in
      guard result == .done || !control.isScenarioOver && state.alarm?.gate == alarm else { return }
      state.alarm = nil
      // Who waited to tell something again may find that somebody else has read it.
      if result == .done || waitable.amount(direction) != nil {
        control.note("fires \(self.object.name)")
        state.fire(waitable.amount(direction) ?? 0, version: waitable.version)
      }
      self.follow(state, control)
    }
  }

  /// Lets the strand never begin that waits for a time or a descriptor that means nothing any more, in the step under way.
  private func silence(_ state: SourceState, _ control: Control) {
    guard let (alarm, moment) = state.alarm.take() else { return }
    control.goOn(with: Self.useOfAlarm(.close, alarm))
    if let moment { control.goOn(with: .init(.disarm(moment), .clock, initially: .clock([]))) }
  }
}
