import Dispatch
import Foundation

// Signals that a process sends to itself. Each program says what was told of them, in order.

extension Programs {
  private static func source(of signal: Int32, on queue: String = "signals")
    -> any DispatchSourceSignal
  {
    DispatchSource.makeSignalSource(signal: signal, queue: DispatchQueue(label: queue))
  }

  private static func send(_ signal: Int32) { _ = kill(getpid(), signal) }

  /// Every source of a signal is told, though nothing is done with it otherwise.
  static func tellsEachSource() -> [String] {
    let log = Log()
    log("\(kill(getpid(), SIGCHLD))")
    _ = signal(SIGUSR1, SIG_IGN)
    let first = Watch(source(of: SIGUSR1), log) { "first \($0)" }
    send(SIGUSR1)
    first.wait()
    let second = Watch(source(of: SIGUSR1), Log()) { "\($0)" }
    send(SIGUSR1)
    first.wait()
    second.wait()
    log("\(first.source.handle == UInt(SIGUSR1)) \(first.source.mask)")
    second.cancel()
    send(SIGUSR1)
    first.wait()
    first.cancel()
    return log.entries
  }

  /// Those that come before the handler begins are one.
  static func mergesSignals() -> [String] {
    let log = Log()
    let queue = DispatchQueue(label: "signals")
    let source = DispatchSource.makeSignalSource(signal: SIGHUP, queue: queue)
    // The newest is told first.
    let other = Watch(Self.source(of: SIGHUP, on: "other"), Log()) { "\($0)" }
    let watch = Watch(source, log) { "told \($0)" }
    // What comes while the registration handler runs is told at once.
    queue.sync {}
    queue.suspend()
    for _ in 0..<2 {
      send(SIGHUP)
      other.wait()
    }
    queue.resume()
    watch.wait()
    send(SIGHUP)
    watch.wait()
    other.cancel()
    watch.cancel()
    return log.entries
  }

  /// Once there was a source, a signal waits for the next one.
  static func waitsForTheNext() -> [String] {
    let log = Log()
    Watch(source(of: SIGUSR2), log) { "first \($0)" }.cancel()
    send(SIGUSR2)
    send(SIGUSR2)
    let next = Watch(source(of: SIGUSR2), log) { "next \($0)" }
    next.wait()
    next.cancel()
    return log.entries
  }

  /// Dispatch takes a signal over once. What is set back after that stays.
  static func staysSetBack() -> [String] {
    let log = Log()
    log(action(of: SIGHUP))
    log(name(of: signal(SIGHUP, SIG_IGN)))
    log(action(of: SIGHUP))
    Watch(source(of: SIGHUP), log) { "first \($0)" }.cancel()
    log(action(of: SIGHUP))
    log(name(of: signal(SIGHUP, SIG_IGN)))
    let next = Watch(source(of: SIGHUP), log) { "next \($0)" }
    log(action(of: SIGHUP))
    next.cancel()
    return log.entries
  }

  /// What there is not, or what nobody may change.
  static func refusesSignals() -> [String] {
    let log = Log()
    for result in [kill(getpid(), 0), kill(getpid(), 99)] { log("\(result)") }
    log("\(errno == EINVAL)")
    for number in [SIGKILL, SIGSTOP, 99] {
      errno = 0
      let old = signal(number, SIG_IGN)
      log("\(unsafeBitCast(old, to: Int.self)) \(errno == EINVAL)")
    }
    var old = sigaction()
    log("\(sigaction(99, nil, &old)) \(sigaction(SIGKILL, nil, &old))")
    return log.entries
  }

  private static func action(of signal: Int32) -> String {
    var action = sigaction()
    _ = sigaction(signal, nil, &action)
    return name(of: action.__sigaction_handler.sa_handler)
  }

  private static func name(of handler: (@convention(c) (Int32) -> Void)?) -> String {
    switch unsafeBitCast(handler, to: Int.self) {
    case unsafeBitCast(SIG_DFL, to: Int.self): "default"
    case unsafeBitCast(SIG_IGN, to: Int.self): "ignored"
    default: "handled"
    }
  }

  /// Sent behind `activate()`, it is told, or it is lost.
  static func comesEarly() -> [String] {
    let log = Log()
    _ = signal(SIGUSR1, SIG_IGN)
    let source = Self.source(of: SIGUSR1)
    let (registered, over) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    source.setRegistrationHandler { registered.signal() }
    source.setEventHandler { log("told \(source.data)") }
    source.setCancelHandler { over.signal() }
    source.activate()
    send(SIGUSR1)
    registered.wait()
    source.cancel()
    over.wait()
    return log.entries
  }
}
