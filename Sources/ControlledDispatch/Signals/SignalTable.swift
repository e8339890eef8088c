import Foundation
import Interleaving

/// What is done with each signal in one execution, and which sources are told.
final class SignalTable {
  private struct Row {
    /// A function, or a number that stands for what else is done.
    var handler = SignalTable.byDefault
    /// Whether it has had a source, which Dispatch sets its own handler for, once in the life of a process.
    var isTakenOver = false
    /// Whether it was sent, and Dispatch has not come to it yet.
    var isPending = false
    var sources: [SourceCore] = []
  }

  private static let byDefault = unsafeBitCast(SIG_DFL, to: Int.self)
  private static let ignored = unsafeBitCast(SIG_IGN, to: Int.self)
  /// No function is here.
  private static let byDispatch = 2

  private var rows: [Int32: Row] = [:]

  private init() {}

  private static let state = PerExecution<SignalTable> { SignalTable() }

  /// - Parameter user: What asks for it, as its users spell it.
  static func current(_ user: String) -> SignalTable { state(Control.current(for: user)) }

  var control: Control { .current(for: "signals") }

  /// What signals are known by, in every exploration.
  private static let objects = (0..<65).map { _ in Signal() }
  private final class Signal: Sendable {}

  private func use(_ action: Action, of number: Int32) -> VisibleOperation.Use {
    .init(action, control.object(Self.objects[Int(number)]), initially: .variable)
  }

  private func exists(_ number: Int32) -> Bool { Self.objects.indices.contains(Int(number)) }

  // MARK: What its users do

  /// - Returns: 0, or −1 if there is no such signal.
  func send(_ number: Int32) -> Int32 {
    guard exists(number) else { return fail() }
    guard number != 0 else { return 0 }
    control.perform(VisibleOperation([use(.update, of: number)]), "sends \(Self.name(of: number))")
    let handler = rows[number, default: Row()].handler
    switch handler {
    case _ where number == SIGKILL || number == SIGSTOP: end(by: number)
    case Self.byDefault:
      if Self.ends(number) { end(by: number) }
    case Self.ignored: break
    case Self.byDispatch:
      guard rows[number]?.isPending == false else { break }
      rows[number]?.isPending = true
      if rows[number]?.sources.isEmpty == false { tellSources(of: number) }
    default: unsafeBitCast(handler, to: Kernel.SignalHandler.self)(number)
    }
    return 0
  }

  /// Whether the default action ends a process.
  static func ends(_ number: Int32) -> Bool {
    ![0, SIGCHLD, SIGCONT, SIGURG, SIGWINCH].contains(number)
  }

  private func end(by number: Int32) -> Never {
    control.trap("sends \(Self.name(of: number)), which ends the process")
  }

  /// - Returns: What was done before; nil if there is no such signal, or nothing else can be done with it.
  func setHandler(of number: Int32, to handler: Int) -> Int? {
    guard exists(number), number > 0, number != SIGKILL, number != SIGSTOP else {
      _ = fail()
      return nil
    }
    control.perform(
      VisibleOperation([use(.update, of: number)]),
      "\(Self.verbs[handler] ?? "sets a handler of") \(Self.name(of: number))")
    let old = rows[number, default: Row()].handler
    rows[number, default: Row()].handler = handler
    // What is not told any more does not wait, either.
    if handler == Self.ignored { rows[number]?.isPending = false }
    return old
  }

  private static let verbs = [byDefault: "sets the default action of", ignored: "ignores"]

  /// - Returns: Nil if there is no such signal.
  func handler(of number: Int32) -> Int? {
    guard exists(number), number > 0 else {
      _ = fail()
      return nil
    }
    control.perform(
      VisibleOperation([use(.load, of: number)]), "asks for the action of \(Self.name(of: number))")
    return rows[number]?.handler ?? Self.byDefault
  }

  private func fail() -> Int32 {
    Kernel.errno = EINVAL
    return -1
  }

  // MARK: Sources

  /// Lets Dispatch's manager come to a source, to tell it of a signal from then on, or to end that. When it does is not
  /// promised.
  ///
  /// - Parameters:
  ///   - use: What else the step uses.
  ///   - body: What it does, in one step.
  func manage(
    _ number: Int32, using use: VisibleOperation.Use, _ body: @escaping () -> Void
  ) {
    let uses = exists(number) ? [use, self.use(.update, of: number)] : [use]
    control.begin(when: VisibleOperation(uses), "Dispatch") { _ in body() }
  }

  /// A source is told of a signal from now on, or no longer, in the step under way.
  func watch(_ number: Int32, for source: SourceCore, _ isWatched: Bool) {
    guard exists(number) else { return }
    var row = rows[number, default: Row()]
    if isWatched { row.sources.append(source) } else { row.sources.removeAll { $0 === source } }
    if isWatched, !row.isTakenOver { (row.isTakenOver, row.handler) = (true, Self.byDispatch) }
    rows[number] = row
    if isWatched, row.isPending, row.sources.count == 1 { tellSources(of: number) }
  }

  /// Lets Dispatch's manager tell those sources that there are by then, one after the other, the newest first.
  private func tellSources(of number: Int32) {
    control.begin(when: VisibleOperation([use(.update, of: number)]), "Dispatch") { [self] _ in
      guard let row = rows[number], row.isPending, let newest = row.sources.last else { return }
      rows[number]?.isPending = false
      newest.signalHasCome(alone: false)
      for source in row.sources.dropLast() { source.signalHasCome(alone: true) }
    }
  }

  static func name(of number: Int32) -> String { names[number] ?? "signal \(number)" }

  private static let names: [Int32: String] = [
    SIGHUP: "SIGHUP", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGKILL: "SIGKILL",
    SIGUSR1: "SIGUSR1", SIGUSR2: "SIGUSR2", SIGPIPE: "SIGPIPE", SIGALRM: "SIGALRM",
    SIGTERM: "SIGTERM", SIGCHLD: "SIGCHLD", SIGCONT: "SIGCONT", SIGSTOP: "SIGSTOP",
    SIGURG: "SIGURG", SIGWINCH: "SIGWINCH",
  ]
}
