import Foundation
import Interleaving

/// The part of a kernel that descriptors need, as the stand-ins of `read`, `write` and the like have it: pipes, sockets,
/// counters and files of the scenario's own, which no other process sees.
///
/// Each schedule begins with no descriptor but the standard ones, and with a disk that has one folder, `/tmp`. Numbers are
/// given as a real kernel gives them, the lowest that is free first.
public enum Kernel {
  /// Says how large the buffers are of pipes and sockets that are made in the rest of the schedule; call it where the
  /// scenario begins.
  ///
  /// - Parameter bytes: How many bytes a pipe takes, and a socket in each direction, until somebody reads; 1 or more. Unless
  ///   it is said, 65,536 of a pipe and 180,224 of a socket. A write of up to a sixteenth of that is never partial.
  public static func limitBuffers(to bytes: Int) {
    precondition(bytes >= 1, "a buffer takes one byte or more")
    KernelState.current("Kernel").bufferSize = bytes
  }

  /// Says how much the disk takes in the rest of the schedule.
  ///
  /// - Parameter bytes: How many bytes all files together may have by a write, 0 or more; without a limit unless it is said.
  ///   `truncate` and `ftruncate` may give them more, which then count. The room of a file that has lost its name is free
  ///   when nobody has it open any more.
  public static func limitDisk(to bytes: Int) {
    precondition(bytes >= 0, "a disk takes no fewer than no bytes")
    KernelState.current("Kernel").diskSize = bytes
  }

  /// Says how often in the rest of the schedule a call does by chance what it may always do, though most often it does not.
  ///
  /// Where a call may, it is a choice: the exploration goes on with each way.
  ///
  /// - Parameters:
  ///   - shortCounts: How many calls at most, of each task, block or thread, read or write one byte of the several that
  ///     they could; 0 or more, 1 unless it is said.
  ///   - interruptions: How many calls at most, of each, come back with EINTR if they have to wait; 0 or more, 0 unless it
  ///     is said.
  public static func allow(shortCounts: Int = 1, interruptions: Int = 0) {
    precondition(shortCounts >= 0 && interruptions >= 0, "nothing happens less than never")
    let kernel = KernelState.current("Kernel")
    (kernel.shortCounts, kernel.interruptions) = (shortCounts, interruptions)
  }
}

extension Kernel {
  /// Why the last call of the running task, block or thread failed: the stand-in of the system's variable.
  public static var errno: Int32 {
    get {
      let kernel = KernelState.current("errno")
      return kernel.lastErrors[kernel.control.strand] ?? 0
    }
    set {
      let kernel = KernelState.current("errno")
      kernel.lastErrors[kernel.control.strand] = newValue
    }
  }

  /// The descriptors that are open, in order: what is left of them at the end was never closed.
  public static var openDescriptors: [Int32] { KernelState.current("Kernel").openNumbers() }
}

/// What the kernel knows in one execution. Whoever changes something of it has declared so as a step's beginning.
final class KernelState {
  /// What sources have had registered at a number.
  struct Registration {
    /// What the number stood for at the time of the first: Dispatch asks no more while there is one.
    let file: OpenFile?
    var sources: Int
  }

  var control: Control { .current(for: "Kernel") }
  /// Of each strand, why its last call failed.
  var lastErrors: [StrandID: Int32] = [:]
  var bufferSize: Int?
  var diskSize = Int.max
  var shortCounts = 1
  var interruptions = 0
  /// What each number stands for.
  private(set) var files: [Int32: OpenFile] = [:]
  private var registrations: [Int32: Registration] = [:]
  /// What is on the disk, by its path.
  lazy var disk: [String: Inode] = newDisk()
  /// The files that have lost their name, as long as somebody has them open.
  var nameless: [Inode] = []
  /// How many files and folders there have been.
  var inodes: UInt64 = 0
  /// How often one was renamed.
  var renamings: UInt32 = 0
  /// Who is told what happens to files and folders.
  var watches: [Watch] = []
  /// Who listens, by the port.
  var listeners: [UInt16: Stream] = [:]

  private init() {}

  private static let state = PerExecution<KernelState> { KernelState() }

  /// - Parameter user: What asks for it, as its users spell it.
  static func current(_ user: String) -> KernelState { state(Control.current(for: user)) }

  // MARK: Numbers

  /// What numbers are known by, in every exploration.
  private static let objects = (0..<256).map { _ in Number() }
  private final class Number: Sendable {}
  /// The first number that is given: others are in use.
  static let first: Int32 = 3

  /// A use of what a number stands for, as part of an operation.
  private func use(_ action: Action, of number: Int32) -> VisibleOperation.Use {
    .init(action, control.object(Self.objects[Int(number)]), initially: .variable)
  }

  /// Which numbers are given is one thing, that who takes the lowest that is free sees of others. Who gives one back does not
  /// see who gives back another.
  private static let givenNumbers = Number()

  private func useOfGivenNumbers(_ action: Action) -> VisibleOperation.Use {
    .init(action, control.object(Self.givenNumbers), initially: .variable)
  }

  /// Looks up what a descriptor stands for, as the beginning of each call.
  ///
  /// What it stands for may end before the call goes on, which then goes on with what it has found.
  func file(at number: Int32, for call: String) -> OpenFile? {
    guard isNumber(number) else { return nil }
    control.perform(
      VisibleOperation([use(.load, of: number)]), "looks up descriptor \(number), to \(call)")
    return files[number]
  }

  /// The numbers that are free, the lowest first.
  private func freeNumbers(from least: Int32 = KernelState.first) -> some Collection<Int32> {
    Self.objects.indices.lazy.map { Int32($0) }
      .filter { $0 >= max(least, Self.first) && self.files[$0] == nil }
  }

  /// Looks whether a number is free, for a call that must not begin otherwise.
  ///
  /// Only who finds none has looked in a step of its own. So another may take the last one before the call has one.
  func hasFreeNumber(_ call: String) -> Bool {
    if !freeNumbers().isEmpty { return true }
    control.perform(VisibleOperation([useOfGivenNumbers(.update)]), call)
    return !freeNumbers().isEmpty
  }

  /// Gives numbers to open files.
  ///
  /// - Parameters:
  ///   - least: The least number that is given.
  ///   - call: What a trace says of it.
  /// - Returns: The numbers; nil if there are not so many.
  func add(_ new: [OpenFile], from least: Int32 = KernelState.first, _ call: String) -> [Int32]? {
    let control = control
    control.perform(VisibleOperation([useOfGivenNumbers(.update)]), call)
    let numbers = Array(freeNumbers(from: least).prefix(new.count))
    guard numbers.count == new.count else { return nil }
    for (number, file) in zip(numbers, new) {
      control.goOn(with: use(.update, of: number))
      file.descriptors += 1
      files[number] = file
    }
    control.note("as " + numbers.map { "descriptor \($0)" }.joined(separator: " and "))
    return numbers
  }

  /// Takes a number back, and ends what it stands for if no other does.
  ///
  /// - Returns: Whether it stood for something.
  func close(_ number: Int32) -> Bool {
    replace(number, by: nil, "closes descriptor \(number)")
  }

  /// Lets a number stand for something else, or nothing, and ends what it stood for if no other does.
  ///
  /// - Returns: Whether it stood for something.
  func replace(_ number: Int32, by new: OpenFile?, _ call: String) -> Bool {
    guard isNumber(number) else { return false }
    control.perform(
      VisibleOperation([use(.update, of: number), useOfGivenNumbers(.put)]), call)
    let old = files[number]
    // Which of several descriptors of one file is the last is seen.
    if new != nil || old.map({ $0.descriptors > 1 }) == true {
      control.goOn(with: useOfGivenNumbers(.update))
    }
    files[number] = new
    new?.descriptors += 1
    old?.descriptors -= 1
    if let old, old.descriptors == 0 { old.end(self) }
    return old != nil
  }

  /// Whether it could be a descriptor: there are 256.
  func isNumber(_ number: Int32) -> Bool { Self.objects.indices.contains(Int(number)) }

  func openNumbers() -> [Int32] {
    control.perform(
      VisibleOperation([useOfGivenNumbers(.update)]), "asks for the open descriptors")
    return files.keys.sorted()
  }

  // MARK: Sources

  /// Lets Dispatch's manager come to a source, to watch a number or to end that. When it does is not promised, nor to which of
  /// several it comes first.
  ///
  /// - Parameters:
  ///   - number: The number.
  ///   - use: What else the step uses.
  ///   - body: What it does, in one step.
  func manage(
    _ number: Int32, using use: VisibleOperation.Use, _ body: @escaping () -> Void
  ) {
    let uses = isNumber(number) ? [use, self.use(.update, of: number)] : [use]
    control.begin(when: VisibleOperation(uses), "Dispatch") { _ in body() }
  }

  /// A source begins to watch a number, or ends that, in the step under way.
  ///
  /// Dispatch knows by the number whether it watches. What was closed before its source was cancelled is not watched any
  /// more, and as long as that source is there, neither is what gets its number.
  func watch(_ number: Int32, _ isWatched: Bool) {
    var registration = registrations[number] ?? Registration(file: files[number], sources: 0)
    registration.sources += isWatched ? 1 : -1
    registrations[number] = registration.sources == 0 ? nil : registration
  }

  /// What sources at a number watch; nil if nothing.
  func watched(at number: Int32) -> OpenFile? { registrations[number]?.file }

  // MARK: Chance

  enum Chance { case shortCount, interruption }

  /// How often each strand has met a chance that most often does not come.
  private var met: [StrandID: [Chance: Int]] = [:]

  /// Whether a strand has not yet met a chance as often as is allowed. What others have met must not matter: no order is said
  /// to be between them and this.
  private func mayMeet(_ chance: Chance, _ most: Int) -> Bool {
    met[control.strand]?[chance] ?? 0 < most
  }

  /// Chooses how many of so many bytes are read or written.
  func choose(upTo count: Int) -> Int {
    guard count > 1, mayMeet(.shortCount, shortCounts) else { return count }
    let isShort = choose(from: ["all \(count) bytes", "one byte of \(count)"], .shortCount)
    return isShort ? 1 : count
  }

  /// Chooses whether a call that has to wait is interrupted.
  func chooseInterruption() -> Bool {
    mayMeet(.interruption, interruptions) && choose(from: ["to wait", "EINTR"], .interruption)
  }

  /// Chooses whether a strand meets a chance.
  private func choose(from ways: [String], _ chance: Chance) -> Bool {
    let isMet = Interleaving.choose(from: ways) == ways[1]
    if isMet { met[control.strand, default: [:]][chance, default: 0] += 1 }
    return isMet
  }
}
