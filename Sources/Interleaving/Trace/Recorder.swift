/// Writes down what one execution does; only replays of what is to be shown have one.
final class Recorder {
  /// What happens within a step.
  enum Event {
    case sleeps(untilMilliseconds: Int)
    case yields
    case resumes(Int)
    case does(String)
    case uses(SharedUse, variable: String, object: Int, value: String)
  }

  /// A use of a shared variable, for the search for a cause.
  struct Use {
    let step: Int
    let strand: Int
    let kind: SharedUse
    let variable: String
    let object: Int
    let value: String
  }

  /// A step on an actor, with the actor's stored properties before and after it.
  struct Visit {
    let step: Int
    let strand: Int
    let actor: String
    let address: Int
    let before: [String: String]
    let after: [String: String]
  }

  private struct Line {
    let strand: Int
    var actor: String?
    var notes: [String] = []
  }

  private var lines: [Line] = []
  private var order: [Int] = []
  private var names: [Int: String] = [:]
  private(set) var uses: [Use] = []
  private(set) var visits: [Visit] = []
  private var visiting: (place: Place, index: Int, name: String)?
  private var before: [String: String] = [:]
  private var typeCounts: [String: [Int]] = [:]
  private var slept = false
  private var yielded = false

  func name(of strand: Int) -> String? { names[strand] }

  func born(_ strand: Int, of executor: ScenarioExecutor) {
    let given = executor.strands[strand].task?.name
    names[strand] = given ?? executor.strands.path(of: strand)
    order.append(strand)
    if executor.running != nil { lines[lines.count - 1].notes.append("starts \(names[strand]!)") }
  }

  /// Gives a strand that has just been born another name.
  func name(_ strand: Int, _ name: String) {
    let old = names[strand]
    names[strand] = name
    guard let last = lines.indices.last, let note = lines[last].notes.indices.last,
      lines[last].notes[note] == "starts \(old ?? "")"
    else { return }
    lines[last].notes[note] = "starts \(name)"
  }

  func begin(step: Int, strand: Int, place: Place, of executor: ScenarioExecutor) {
    var line = Line(strand: strand)
    slept = false
    yielded = false
    switch place {
    case .free: break
    case .main: line.actor = "MainActor"
    case .actor(let index):
      if let actor = executor.object(at: place) {
        let name = name(of: actor, index: index)
        line.actor = name
        visiting = (place, index, name)
        before = properties(of: actor)
      }
    }
    lines.append(line)
  }

  func note(_ event: Event) {
    guard !lines.isEmpty else { return }
    let last = lines.count - 1
    switch event {
    case .sleeps(let milliseconds):
      slept = true
      let seconds = Double(milliseconds) / 1000
      lines[last].notes.append("sleeps until \(seconds) s")
    case .yields:
      yielded = true
      lines[last].notes.append("yields")
    case .resumes(let strand):
      let note = "resumes \(names[strand] ?? "a task")"
      let isBirth = lines[last].notes.contains { $0 == "starts \(names[strand] ?? "")" }
      if !isBirth { lines[last].notes.append(note) }
    case .does(let note): lines[last].notes.append(note)
    case .uses(let kind, let variable, let object, let value):
      let verb =
        switch kind {
        case .read: "reads"
        case .write: "writes"
        case .update: "updates"
        }
      lines[last].notes.append("\(verb) \(variable) = \(value)")
      uses.append(
        Use(
          step: last, strand: lines[last].strand, kind: kind, variable: variable, object: object,
          value: value))
    }
  }

  /// Compares the actor's properties, if it is still there: the recorder must not keep it alive.
  func leave(of executor: ScenarioExecutor) {
    guard let (place, index, name) = visiting, let actor = executor.object(at: place) else {
      return
    }
    let last = lines.count - 1
    let after = properties(of: actor)
    for (property, value) in after.sorted(by: { $0.key < $1.key }) where before[property] != value {
      lines[last].notes.append("\(property): \(before[property] ?? "–") → \(value)")
    }
    visits.append(
      Visit(
        step: last, strand: lines[last].strand, actor: name, address: index, before: before,
        after: after))
    before = after
  }

  func end(strand: Int, of executor: ScenarioExecutor) {
    visiting = nil
    if let note = end(of: strand, executor) { lines[lines.count - 1].notes.append(note) }
  }

  /// Adds what strands do for ever at the end of an execution.
  func finish(_ waits: [(strand: Int, note: String)]) {
    for wait in waits { lines.append(Line(strand: wait.strand, notes: [wait.note])) }
  }

  /// How a step came to its end.
  private func end(of strand: Int, _ executor: ScenarioExecutor) -> String? {
    if executor.strands[strand].isComplete { return "ends" }
    if slept || yielded { return nil }
    if let job = executor.agenda.job(of: strand) {
      switch job.place {
      case .free: return nil
      case .main: return "asks for MainActor"
      case .actor(let index):
        return executor.object(at: job.place).map { "asks for \(name(of: $0, index: index))" }
      }
    }
    return executor.wait(of: strand).map { "waits for \($0)" }
  }

  private func name(of actor: any Actor, index: Int) -> String {
    let type = String(describing: Swift.type(of: actor))
    var known = typeCounts[type] ?? []
    if !known.contains(index) { known.append(index) }
    typeCounts[type] = known
    let number = known.firstIndex(of: index)! + 1
    return number == 1 ? type : "\(type) \(number)"
  }

  private func properties(of actor: any Actor) -> [String: String] {
    var properties: [String: String] = [:]
    for child in Mirror(reflecting: actor).children {
      guard let label = child.label, !label.hasPrefix("$") else { continue }
      properties[label] = describe(child.value)
    }
    return properties
  }

  var trace: Trace {
    let acting = order.filter { strand in lines.contains { $0.strand == strand } }
    return Trace(
      tasks: acting.map { names[$0] ?? "?" },
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
