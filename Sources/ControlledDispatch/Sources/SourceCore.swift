import Interleaving

/// What a source does, on the strands of others and on its own: it outlives the source, whose last reference
/// may go while a handler runs.
final class SourceCore: Sendable {
  private let object: ControlledObject
  private let state: PerExecution<SourceState>

  init(_ kind: SourceState.Kind, _ queue: DispatchQueue?) {
    object = ControlledObject("\(kind) source")
    // What has no queue of its own gets a thread whenever it needs one, as a serial queue does.
    let queue = queue ?? DispatchQueue(label: "of \(kind) source")
    state = PerExecution { SourceState(kind, queue) }
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
    act("cancels") { $0.cancel() }
    silence(state(control))
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
      swap(&handlers, &state.handlers)
    }
    silence(state)
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

  /// Does what the state wants.
  private func follow(_ state: SourceState, _ control: Control) {
    while state.wantsQueueing {
      let queue = state.queue
      // As a barrier, whatever its flags are by then: what a step touches must not depend on others.
      perform("submits", [queue.useOfSubmitting(.barrier)])
      // Somebody else may have done so, or changed what it wants.
      guard state.wantsQueueing, state.queue === queue else { continue }
      state.isQueued = true
      queue.put(state.flags) { self.deliver() }
    }
    if let moment = state.wantsAlarm { setAlarm(at: moment, state, control) }
  }

  /// Calls handlers, on the strand that has come to its turn in the queue.
  private func deliver() {
    let control = control
    let state = state(control)
    var hasCalled = false
    while true {
      // What a timer hands to its handler depends on the time.
      perform(
        "looks at", state.kind == .timer ? [.init(.read, .clock, initially: .clock([]))] : [])
      switch state.takeCall(at: control.now, hasCalled: hasCalled) {
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
    // What was to wake it for an earlier schedule is silenced after the step, and then it is woken anew.
    let (control, state) = (control, state(control))
    perform("schedules")
    state.set(.init(next: deadline.milliseconds, interval: interval.map { max(1, $0) }))
    silence(state)
    follow(state, control)
  }

  private func refuse(_ interval: String) -> Never {
    control.trap("repeats \(object.name) after \(interval), which Dispatch refuses")
  }

  /// Lets a strand wait for the moment at which the timer is due.
  private func setAlarm(at moment: Int, _ state: SourceState, _ control: Control) {
    let alarm = control.makeObject()
    control.name(alarm, kind: "the alarm of", label: object.name)
    state.alarm = alarm
    let isAhead = state.firings < RepeatingTimers.ahead(control)
    var operation = VisibleOperation(
      [.init(.goThrough, alarm, initially: .gate(closed: 1)), control.arm(moment)], givesUp: true)
    operation.waitsForIdle = !isAhead
    control.begin("\(object.name) fires") { [operation] in
      guard control.perform(operation, "does not fire: is scheduled anew or over") == .timedOut,
        isAhead || !control.isScenarioOver
      else { return }
      self.act("fires") { state in
        guard state.alarm == alarm else { return }
        state.alarm = nil
        state.fire()
      }
    }
  }

  /// Ends the strand that waits for a time that means nothing any more.
  private func silence(_ state: SourceState) {
    guard let alarm = state.alarm.take() else { return }
    perform("silences", [.init(.open, alarm, initially: .gate(closed: 1))])
  }
}
