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
  }

  private struct Line: Sendable {
    let strand: StrandID
    var actor: String?
    var notes: [String] = []
    /// Where in the code it begins.
    var place: String?
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
  private(set) var sources = SourceLines()

  mutating func beginStep(of strand: StrandID, isOnMain: Bool, on actor: ActorState?) {
    let name = isOnMain ? "MainActor" : actor.map { self.name(of: $0) }
    lines.append(Line(strand: strand, actor: name))
    visiting = actor
  }

  /// Adds what the step under way does, in words.
  mutating func note(_ note: String) {
    if !lines.isEmpty { lines[lines.count - 1].notes.append(note) }
  }

  /// Adds where in the code the step begins, before all that it does; once where it goes on there.
  mutating func noteFirst(_ note: String) {
    guard let last = lines.indices.last else { return }
    let before = lines[..<last].last { $0.strand == lines[last].strand && $0.place != nil }
    // A function and its closures are one place.
    let place = note.replacing("a closure in ", with: "")
    lines[last].place = place
    if before?.place != place { lines[last].notes.insert(note, at: 0) }
  }

  /// Notes that the step lets a strand go on, unless it has just started it.
  mutating func noteResumption(of name: String) {
    if lines.last?.notes.contains("starts \(name)") == false { note("resumes \(name)") }
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
    let note = "\(kind.rawValue) \(variable)" + (value.map { " = \($0)" } ?? "")
    if let site {
      lines[last].notes.insert("\(note), \(site)", at: 0)
    } else {
      lines[last].notes.append(note)
    }
    guard let value else { return }
    uses.append(
      Use(
        step: last, strand: lines[last].strand, kind: kind, variable: variable, key: key,
        value: value))
  }

  /// Compares the step's actor with what it was.
  mutating func leave(_ actor: ActorState?) {
    guard let before = visiting, let actor else { return }
    let last = lines.count - 1
    for (property, value) in actor.properties.sorted(by: { $0.key < $1.key })
    where before.properties[property] != value {
      note("\(property): \(before.properties[property] ?? "–") → \(value)")
    }
    visits.append(
      Visit(
        step: last, strand: lines[last].strand, actor: lines[last].actor ?? actor.type,
        number: actor.number, before: before.properties, after: actor.properties))
    visiting = actor
  }

  /// Whether the step under way went to sleep or yielded, so that nothing need be said of its end.
  var saysHowItEnds: Bool {
    lines.last?.notes.contains { $0 == "yields" || $0.hasPrefix("sleeps until ") } ?? false
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
  mutating func addWait(of strand: StrandID, _ note: String) {
    lines.append(Line(strand: strand, notes: [note]))
  }

  /// Ends the recording.
  ///
  /// - Parameter sites: Where in the source strands wait.
  mutating func finish(_ strands: StrandTable, _ sites: [StrandID: String]) {
    names = strands.names
    born = strands.born
    sources.waits = sites
  }

  var trace: Trace {
    let acting = born.filter { strand in lines.contains { $0.strand == strand } }
    return Trace(
      tasks: acting.map { names[$0] },
      steps: lines.map {
        Trace.Step(task: acting.firstIndex(of: $0.strand)!, actor: $0.actor, notes: $0.notes)
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
