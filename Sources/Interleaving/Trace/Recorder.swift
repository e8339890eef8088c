/// Writes down what one execution does; only replays of what is to be shown have one.
struct Recorder: Sendable {
  /// A use of a shared variable, for the search for a cause.
  struct Use: Sendable {
    enum Kind: String {
      case read = "reads"
      case write = "writes"
      case update = "updates"
    }

    let step: Int
    let strand: StrandID
    let kind: Kind
    let variable: String
    let key: Key
    let value: String
    /// What the trace says of it.
    let note: String
  }

  /// Which variable is used: one that the explorer was told of, or memory.
  // Sendable because the address is compared, and nothing is read there.
  enum Key: Hashable, @unchecked Sendable {
    case object(ObjectID)
    case memory(UnsafeRawPointer)
  }

  /// An actor as it is between two steps.
  struct ActorState: Sendable {
    let number: Int
    let type: String
    let properties: [String: String]

    init(_ actor: any Actor, number: Int) {
      self.number = number
      type = String(describing: Swift.type(of: actor))
      var properties: [String: String] = [:]
      for child in Mirror(reflecting: actor).children {
        guard let label = child.label, !label.hasPrefix("$") else { continue }
        properties[label] = describe(child.value)
      }
      self.properties = properties
    }
  }

  /// A step on an actor, with the actor's stored properties before and after it.
  struct Visit: Sendable {
    let step: Int
    let strand: StrandID
    let actor: String
    let number: Int
    let before: [String: String]
    let after: [String: String]

    /// How the step has changed a property, in words; nil if it has not.
    func change(of property: String) -> String? {
      guard let value = after[property], before[property] != value else { return nil }
      return "\(property): \(before[property] ?? "–") → \(value)"
    }
  }

  /// What was changed after a strand had looked at it and before it acted on that.
  struct Cause: Sendable {
    /// A note that a trace marks, or has besides.
    struct Mark: Sendable {
      let step: Int
      let note: String
    }

    /// It in one sentence.
    let sentence: String
    /// The look that went out of date, and the act that followed it.
    let marks: [Mark]
  }

  /// What a note is to a reader.
  enum Kind: Sendable {
    case action, choice, fault, bookkeeping
    case handOver(to: StrandID)
  }

  private struct Note: Sendable {
    let text: String
    var kind = Kind.action
  }

  private struct Line: Sendable {
    let strand: StrandID
    var actor: String?
    var notes: [Note] = []
    /// Where in the code it begins.
    var place: Trace.Place?
  }

  private var lines: [Line] = []
  private(set) var uses: [Use] = []
  private(set) var visits: [Visit] = []
  /// The step's actor, as the step found it, or as the latest part of the step left it.
  private var visiting: ActorState?
  /// Of each type of actors, the numbers of those that were met.
  private var numbers: [String: [Int]] = [:]
  /// What strands are called, and those of the execution in the order of their births.
  private(set) var names = StrandNames()
  private var born: [StrandID] = []
  private var threads: Set<StrandID> = []
  /// Known when the recording has ended.
  private(set) var cause: Cause?
  private(set) var sources = SourceLines()

  mutating func beginStep(
    of strand: StrandID, isOnMain: Bool, on actor: ActorState?, at place: Trace.Place?
  ) {
    let name = isOnMain ? "MainActor" : actor.map { self.name(of: $0) }
    lines.append(Line(strand: strand, actor: name, place: place))
    visiting = actor
  }

  /// Adds what the step under way does, in words.
  mutating func note(_ text: String, _ kind: Kind = .action) {
    if !lines.isEmpty { lines[lines.count - 1].notes.append(Note(text: text, kind: kind)) }
  }

  /// Notes in which function the step under way has begun, unless that was known before.
  mutating func noteFunction(_ function: String) {
    guard let last = lines.indices.last, lines[last].place == nil else { return }
    lines[last].place = Trace.Place(function)
  }

  /// Notes that the step lets a strand go on, unless it has just started it.
  mutating func noteResumption(of strand: StrandID, _ name: String) {
    if lines.last?.notes.contains(where: { $0.text == "starts \(name)" }) == false {
      note("resumes \(name)", .handOver(to: strand))
    }
  }

  /// Notes that the step under way uses a variable.
  ///
  /// - Parameters:
  ///   - kind: What it does with it.
  ///   - key: Which variable it is.
  ///   - variable: What it is called.
  ///   - value: Its value then; nil if that is not known.
  ///   - site: Where in the source, of what the step begins with.
  mutating func noteUse(
    _ kind: Use.Kind, of key: Key, _ variable: String, _ value: String?, at site: String? = nil
  ) {
    guard let last = lines.indices.last else { return }
    let note =
      "\(kind.rawValue) \(variable)" + (value.map { " = \($0)" } ?? "")
      + (site.map { ", \($0)" } ?? "")
    lines[last].notes.insert(Note(text: note), at: site == nil ? lines[last].notes.count : 0)
    guard let value else { return }
    uses.append(
      Use(
        step: last, strand: lines[last].strand, kind: kind, variable: variable, key: key,
        value: value, note: note))
  }

  /// Compares the step's actor with what it was.
  mutating func leave(_ actor: ActorState?) {
    guard let before = visiting, let actor else { return }
    let last = lines.count - 1
    let visit = Visit(
      step: last, strand: lines[last].strand, actor: lines[last].actor ?? actor.type,
      number: actor.number, before: before.properties, after: actor.properties)
    for property in actor.properties.keys.sorted() {
      if let change = visit.change(of: property) { note(change) }
    }
    visits.append(visit)
    visiting = actor
  }

  /// Whether the step under way went to sleep or yielded, so that nothing need be said of its end.
  var saysHowItEnds: Bool {
    lines.last?.notes.contains { $0.text == "yields" || $0.text.hasPrefix("sleeps until ") }
      ?? false
  }

  /// What an actor is called: its type, with a number from the second of a type on.
  mutating func name(of actor: ActorState) -> String {
    var known = numbers[actor.type] ?? []
    if !known.contains(actor.number) { known.append(actor.number) }
    numbers[actor.type] = known
    let index = known.firstIndex(of: actor.number)!
    return index == 0 ? actor.type : "\(actor.type) \(index + 1)"
  }

  /// Notes where in the source a finding came up.
  mutating func note(_ site: String?, of finding: Finding) { sources.findings[finding] = site }

  /// Adds what a strand waits for at the end of the execution, and so for ever.
  mutating func addWait(of strand: StrandID, _ note: String, _ kind: Kind) {
    lines.append(Line(strand: strand, notes: [Note(text: note, kind: kind)]))
  }

  /// Ends the recording.
  ///
  /// - Parameters:
  ///   - sites: Where in the source strands wait.
  ///   - waiters: The strands that wait for ever.
  mutating func finish(
    _ strands: borrowing StrandTable, _ sites: [StrandID: String], waiting waiters: [StrandID]
  ) {
    names = strands.names
    born = strands.born
    threads = Set(born.filter { strands[$0].end != nil })
    sources.waits = sites
    cause = findCause()
    for mark in cause?.marks ?? [] {
      if let index = lines[mark.step].notes.firstIndex(where: { $0.text == mark.note }) {
        lines[mark.step].notes[index].kind = .fault
      } else {
        lines[mark.step].notes.insert(Note(text: mark.note, kind: .fault), at: 0)
      }
    }
    for waiter in waiters {
      guard let line = lines.lastIndex(where: { $0.strand == waiter }),
        let note = lines[line].notes.indices.last, lines[line].notes[note].text.hasPrefix("waits"),
        case .action = lines[line].notes[note].kind
      else { continue }
      lines[line].notes[note].kind = .fault
    }
  }

  var trace: Trace {
    let acting = born.filter { strand in lines.contains { $0.strand == strand } }
    func kind(_ kind: Kind) -> Trace.Note.Kind {
      switch kind {
      case .action: .action
      case .choice: .choice
      case .fault: .fault
      case .bookkeeping: .bookkeeping
      case .handOver(let strand):
        acting.firstIndex(of: strand).map { .handOver(to: $0) } ?? .bookkeeping
      }
    }
    return Trace(
      tasks: acting.map { names[$0] },
      threads: acting.indices.filter { threads.contains(acting[$0]) },
      steps: lines.map { line in
        Trace.Step(
          task: acting.firstIndex(of: line.strand)!, actor: line.actor, place: line.place,
          notes: line.notes.map { Trace.Note($0.text, kind($0.kind)) })
      })
  }
}

/// A value in few words, the same in every process: no addresses, no order that depends on hashing.
func describe(_ value: Any) -> String {
  let mirror = Mirror(reflecting: value)
  switch mirror.displayStyle {
  case .collection, .set, .dictionary:
    let count = mirror.children.count
    return count == 0 ? "empty" : count == 1 ? "1 element" : "\(count) elements"
  case .optional: return mirror.children.first.map { describe($0.value) } ?? "nil"
  case .class, .foreignReference: return String(describing: type(of: value))
  case .struct, .tuple:
    if let value = value as? any LosslessStringConvertible { return value.description }
    if value is Duration || mirror.children.isEmpty { return "\(value)" }
    let values = mirror.children.map { describe($0.value) }
    if values.contains(opaque) { return String(describing: type(of: value)) }
    let parts = zip(mirror.children, values).map { child, value in
      (child.label.map { "\($0): " } ?? "") + value
    }
    return "(" + parts.joined(separator: ", ") + ")"
  case .enum:
    guard let child = mirror.children.first else { return "\(value)" }
    return "\(child.label ?? "")(\(describe(child.value)))"
  default: return value is any CustomStringConvertible ? "\(value)" : opaque
  }
}

/// Stands for a value of which nothing can be said.
private let opaque = "…"
