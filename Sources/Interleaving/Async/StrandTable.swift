/// The tasks of one execution, each a strand whose number names it in every execution.
struct StrandTable {
  struct Strand {
    var task: TaskReference?
    var parent: Int?
    /// The how-manieth child of its parent it is, from 1.
    var ordinal = 0
    /// The how-manieth birth of this execution it is, from 0; unlike its number it owes nothing to earlier ones.
    var rank = 0
    var children = 0
    /// Whether a thread carries it that may block; else it is a task or a job of the runtime.
    var isThread = false
    var isComplete = false
    var isChild = false
    var isGroupChild = false
    var lastStep = -1
    var wasCancelled = false
    /// Whether the task prefers the scenario's executor; else only the hook brings it there.
    var hasPreference = true
    var waitsForContinuation = false
    /// As last seen.
    var priority: UInt8 = 0
  }

  /// A place in the tree of tasks, the same in every execution.
  struct Birth: Hashable {
    let parent: Int
    let ordinal: Int
  }

  private var rows: [Strand] = []
  /// The strands of this execution in the order of their births.
  private(set) var born: [Int] = []
  /// How many tasks were born outside any step: the first is the scenario itself.
  private var births = 0
  private var numbers: [Birth: Int] = [:]

  subscript(strand: Int) -> Strand {
    _read { yield rows[strand] }
    _modify { yield &rows[strand] }
  }

  /// A new strand, numbered by its parent and by how many children that has had.
  mutating func bear(_ task: TaskReference?, parent: Int?) -> Int {
    let ordinal: Int
    if let parent {
      rows[parent].children += 1
      ordinal = rows[parent].children
    } else {
      births += 1
      ordinal = births
    }
    let strand = number(of: Birth(parent: parent ?? -1, ordinal: ordinal))
    while rows.count <= strand { rows.append(Strand()) }
    rows[strand] = Strand(
      task: task, parent: parent, ordinal: ordinal, rank: born.count,
      isChild: task?.isChild ?? false, isGroupChild: task?.isGroupChild ?? false,
      hasPreference: task?.hasPreference ?? true, priority: task?.priority ?? 0)
    born.append(strand)
    return strand
  }

  private mutating func number(of birth: Birth) -> Int {
    if let number = numbers[birth] { return number }
    numbers[birth] = numbers.count
    return numbers.count - 1
  }

  /// The strand of an unfinished task; the address of a finished one may be another's by now.
  func strand(of task: TaskReference) -> Int? {
    born.first { rows[$0].task == task && !rows[$0].isComplete }
  }

  /// The strands that have begun and not ended.
  var unfinished: [Int] { born.filter { !rows[$0].isComplete }.sorted() }

  /// The unfinished children that a strand cannot end before.
  func children(of strand: Int) -> [Int] {
    unfinished.filter { rows[$0].parent == strand && rows[$0].isChild }
  }

  /// "scenario", or the strand's place in the tree of tasks.
  func path(of strand: Int) -> String {
    guard let parent = rows[strand].parent else { return "scenario" }
    let own = "\(rows[strand].ordinal)"
    guard rows[parent].parent != nil else { return "task \(own)" }
    return "\(path(of: parent)).\(own)"
  }

  /// Forgets the execution and keeps the numbers.
  mutating func reset() {
    for strand in born { rows[strand] = Strand() }
    born.removeAll(keepingCapacity: true)
    births = 0
  }
}
