import Foundation
import Interleaving

/// A process that the scenario has begun: it can be waited for until it has ended.
final class ChildProcess: Waitable {
  /// How it has ended, as `waitid` tells it; nil while it runs.
  private(set) var ending: (code: Int32, status: Int32)?

  override func amount(_ direction: Direction) -> Int? {
    direction == .reading && ending != nil ? 0 : nil
  }

  /// It ends, in the step under way, if it has not.
  func end(_ code: Int, _ status: Int32, _ control: Control) {
    guard ending == nil else { return }
    ending = (Int32(code), status)
    hasChanged(control)
  }
}

/// What a descriptor of a process stands for. It is ready when the process has ended, and there is nothing to read.
final class ProcessFile: OpenFile {
  private let process: ChildProcess

  init(_ process: ChildProcess, _ name: String, _ control: Control) {
    self.process = process
    super.init(name, flags: O_RDWR, control)
  }

  override func waitable(_ direction: Direction) -> Waitable? {
    direction == .reading ? process : nil
  }
}

/// The processes of one execution.
final class ProcessTable {
  /// Programs that exit by themselves, at any time, and with which status; nil for those that wait for a signal.
  static let programs: [String: Int32?] = ["/bin/true": 0, "/bin/false": 1, "/bin/sleep": nil]

  private var processes: [pid_t: ChildProcess] = [:]

  private init() {}

  private static let state = PerExecution<ProcessTable> { ProcessTable() }

  /// - Parameter user: What asks for it, as its users spell it.
  static func current(_ user: String) -> ProcessTable { state(Control.current(for: user)) }

  private var control: Control { .current(for: "processes") }

  // MARK: Numbers

  /// What numbers are known by, in every exploration.
  private static let objects = (0..<16).map { _ in Number() }
  private static let givenNumbers = Number()
  private final class Number: Sendable {}
  /// The first number that is given. One whose process was reaped is given again, the lowest first.
  private static let first: pid_t = 1_000

  private static let numbers = first..<first + pid_t(objects.count)

  private func use(_ action: Action, of number: pid_t) -> VisibleOperation.Use {
    .init(
      action, control.object(Self.objects[Int(number - Self.first)]), initially: .variable)
  }

  /// Finds who has a number, as the beginning of a call that may change what it is about.
  private func process(_ number: pid_t, _ call: String) -> ChildProcess? {
    guard Self.numbers.contains(number) else { return nil }
    control.perform(VisibleOperation([use(.update, of: number)]), "\(call) process \(number)")
    return processes[number]
  }

  // MARK: Calls

  /// - Returns: The number of the new process; nil if there is none left.
  func begin(_ path: String, exitsWith status: Int32?) -> pid_t? {
    let control = control
    let process = ChildProcess(control)
    control.perform(
      VisibleOperation([
        .init(.update, control.object(Self.givenNumbers), initially: .variable)
      ]), "begins \(path)")
    guard let number = Self.numbers.first(where: { processes[$0] == nil }) else { return nil }
    control.goOn(with: use(.update, of: number))
    control.note("as process \(number)")
    processes[number] = process
    if let status {
      control.begin(when: VisibleOperation([process.use(.update)]), "process \(number)") { _ in
        process.end(CLD_EXITED, status, self.control)
      }
    }
    return number
  }

  func openDescriptor(of number: pid_t) -> Int32 {
    let kernel = KernelState.current("pidfd_open")
    guard number > 0 else { return kernel.fail(EINVAL) }
    guard let process = process(number, "opens a descriptor of") else { return kernel.fail(ESRCH) }
    let file = ProcessFile(process, "the descriptor of process \(number)", control)
    return kernel.give(file, "makes \(file.name)")
  }

  func send(_ signal: Int32, to number: pid_t) -> Int32 {
    let name = SignalTable.name(of: signal)
    guard let process = process(number, "sends \(name) to") else {
      return KernelState.current("kill").fail(ESRCH)
    }
    guard process.ending == nil, SignalTable.ends(signal) else { return 0 }
    control.goOn(with: process.use(.update))
    process.end(CLD_KILLED, signal, control)
    return 0
  }

  /// Waits for the end of a process, and takes it away unless it is to be left.
  ///
  /// - Returns: The end; nil if there is no such process, or if it runs and is not to be waited for, which is no error.
  func wait(for number: pid_t, _ options: Int32) -> Result<(code: Int32, status: Int32)?, NoChild> {
    while true {
      guard let process = process(number, "asks for the end of") else { return .failure(NoChild()) }
      if let ending = process.ending {
        guard options & WNOWAIT == 0 else { return .success(ending) }
        control.goOn(
          with: .init(.update, control.object(Self.givenNumbers), initially: .variable))
        control.note("reaps it")
        processes[number] = nil
        return .success(ending)
      }
      guard options & WNOHANG == 0 else { return .success(nil) }
      control.goOn(with: process.use(.update))
      let gate = control.makeObject()
      let file = ProcessFile(process, "process \(number)", control)
      control.name(gate, kind: "the end of", label: file.name)
      process.tell(Waiter(gate: gate, file: file, direction: .reading))
      control.perform(
        VisibleOperation([Waitable.use(.goThrough, of: gate)]), "waits no longer for \(file.name)")
    }
  }

  struct NoChild: Error {}
}
