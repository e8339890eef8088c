/// The strands of one execution.
struct StrandTable: ~Copyable {
  struct Strand {
    var task: TaskReference?
    var parent: StrandID?
    /// How many births this execution has had before; unlike its number it owes nothing to earlier ones.
    var rank = 0
    var children = 0
    /// The event of its end, if a thread carries it that may block; else it is a task or a job of the runtime.
    var end: ObjectID?
    /// The declared resource that it waits for.
    var want: ObjectID?
    var isComplete = false
    /// Whether it waits for what it is to begin with.
    var hasYetToBegin = false
    var isChild = false
    var isGroupChild = false
    var lastStep: Int?
    /// Steps of others that come before its next.
    var debts: [Int] = []
    var wasCancelled = false
    /// How many UUIDs it has made.
    var identities: UInt64 = 0
    /// Whether the task prefers the scenario's executor; else only the hook brings it there.
    var hasPreference = true
    var waitsForContinuation = false
    /// How many steps it has begun, and had begun when it was last asked who is active.
    var begun = 0
    var begunBefore = 0
    /// As last seen.
    var priority: UInt8 = 0
    /// The library that asks it, if one does.
    var asker: UInt8 = 0
  }

  private var rows: [Strand] = []
  /// The strands of this execution in the order of their births.
  private(set) var born: [StrandID] = []
  /// Those of them that are tasks.
  private var tasks: [StrandID] = []
  /// How many tasks were born outside any step: the first is the scenario itself.
  private var births = 0
  private var numbers: [Birth: StrandID] = [:]
  private(set) var names = StrandNames()
  /// Whether the names that tasks and threads were given are kept.
  var isNaming = false
  /// Whether the tasks of this execution have more than one priority.
  private(set) var hasMixedPriorities = false

  subscript(strand: StrandID) -> Strand {
    _read { yield rows[strand.number] }
    _modify { yield &rows[strand.number] }
  }

  /// A new strand, numbered by its parent and by how many children that has had.
  mutating func bear(_ task: TaskReference?, parent: StrandID?) -> StrandID {
    let ordinal: Int
    if let parent {
      self[parent].children += 1
      ordinal = self[parent].children
    } else {
      births += 1
      ordinal = births
    }
    let strand = number(of: Birth(maker: parent, ordinal: ordinal))
    while rows.count <= strand.number { rows.append(Strand()) }
    self[strand] = Strand(
      task: task, parent: parent, rank: born.count, isChild: task?.isChild ?? false,
      isGroupChild: task?.isGroupChild ?? false, hasPreference: task?.hasPreference ?? true,
      priority: task?.priority ?? 0)
    born.append(strand)
    if task != nil { tasks.append(strand) }
    // It may have been a thread in another execution.
    if !names.threads.isEmpty { names.threads.remove(strand) }
    if isNaming, let name = task?.name { names.given[strand] = name }
    if let task, let first = born.first, self[first].priority != task.priority {
      hasMixedPriorities = true
    }
    return strand
  }

  private mutating func number(of birth: Birth) -> StrandID {
    if let number = numbers[birth] { return number }
    let number = StrandID(numbers.count)
    numbers[birth] = number
    names.births.append(birth)
    return number
  }

  /// A strand was born that is no task.
  ///
  /// - Parameter name: What its thread is called, if it has a name.
  mutating func nameThread(_ strand: StrandID, _ name: String?) {
    names.threads.insert(strand)
    if isNaming, let name { names.given[strand] = name }
  }

  /// The strand of an unfinished task; the address of a finished one may be another's by now.
  func strand(of task: TaskReference) -> StrandID? {
    tasks.first { self[$0].task == task && !self[$0].isComplete }
  }

  /// What tells a new UUID from all others: whose it is, by its place in the tree of tasks, and the how manieth.
  mutating func makeIdentity(of strand: StrandID) -> (UInt64, UInt64) {
    self[strand].identities += 1
    // Fowler, Noll and Vo's hash, FNV-1a.
    let path = names.path(of: strand).utf8.reduce(0xCBF2_9CE4_8422_2325) { hash, byte in
      (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    return (path, self[strand].identities)
  }

  /// The strands that have begun a step since this was last asked.
  mutating func takeActive() -> [StrandID] {
    born.filter { strand in
      defer { rows[strand.number].begunBefore = rows[strand.number].begun }
      return rows[strand.number].begun > rows[strand.number].begunBefore
    }
  }

  /// The strands that have begun and not ended.
  var unfinished: [StrandID] {
    born.filter { !self[$0].isComplete && !self[$0].hasYetToBegin }.sorted()
  }

  /// The unfinished children that a strand cannot end before.
  func children(of strand: StrandID) -> [StrandID] {
    unfinished.filter { self[$0].parent == strand && self[$0].isChild }
  }

  /// The children that a strand has had, finished ones included: of groups, or of `async let`.
  func allChildren(of strand: StrandID, inGroup: Bool) -> [StrandID] {
    born.filter {
      self[$0].parent == strand && self[$0].isChild && self[$0].isGroupChild == inGroup
    }
  }

  /// A strand and all that were begun below it by tasks that cannot end before.
  func family(of strand: StrandID) -> [StrandID] {
    var family = [strand]
    // Whoever was born later may be a child of those before.
    for other in born where self[other].isChild {
      if let parent = self[other].parent, family.contains(parent) { family.append(other) }
    }
    return family
  }

  /// The strand that a task is or was; the newest of those that had its address.
  func anyStrand(of task: TaskReference) -> StrandID? {
    tasks.last { self[$0].task == task }
  }

  /// Notices which tasks the step under way has cancelled or raised in priority.
  ///
  /// - Parameter withPriorities: Whether to look at priorities, too.
  /// - Returns: Those that it has cancelled.
  mutating func noticeChanges(withPriorities: Bool) -> [StrandID] {
    var cancelled: [StrandID] = []
    for strand in tasks where !self[strand].isComplete {
      guard let task = self[strand].task else { continue }
      if withPriorities, task.priority != self[strand].priority {
        self[strand].priority = task.priority
        hasMixedPriorities = true
      }
      guard !self[strand].wasCancelled, task.isCancelled else { continue }
      self[strand].wasCancelled = true
      cancelled.append(strand)
    }
    return cancelled
  }

  /// What strands are called where nothing was written down.
  var paths: StrandNames { StrandNames(births: names.births, threads: names.threads) }

  /// Forgets the execution and keeps the numbers.
  mutating func reset() {
    for strand in born { self[strand] = Strand() }
    born.removeAll(keepingCapacity: true)
    tasks.removeAll(keepingCapacity: true)
    births = 0
    if !names.given.isEmpty { names.given = [:] }
    hasMixedPriorities = false
  }
}

/// What strands are called: as they were named where that was written down, else by their births.
struct StrandNames: Sendable {
  /// By a strand's number.
  fileprivate(set) var births: [Birth] = []
  fileprivate(set) var given: [StrandID: String] = [:]
  /// Those that are no tasks.
  fileprivate(set) var threads: Set<StrandID> = []

  subscript(strand: StrandID) -> String { given[strand] ?? path(of: strand) }

  /// "scenario", or the strand's place in the tree of tasks.
  func path(of strand: StrandID) -> String {
    let birth = births[strand.number]
    guard let maker = birth.maker else { return "scenario" }
    guard births[maker.number].maker != nil else {
      return "\(threads.contains(strand) ? "thread" : "task") \(birth.ordinal)"
    }
    return "\(path(of: maker)).\(birth.ordinal)"
  }
}
