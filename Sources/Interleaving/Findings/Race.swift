/// Two strands' uses of a variable that nothing orders, one of them a write.
struct Race: Hashable, Sendable {
  struct Use: Hashable, Sendable {
    let strand: StrandID
    var isWrite: Bool
    /// Where in the source, if that is known.
    let site: String?
    /// The library that asked for it, if one did.
    var asker: String?
  }

  /// What it is called; variables of one name are one to a reader.
  let variable: String
  /// Two, by their strands.
  private(set) var uses: [Use]
  /// Whether the orders of the two were not run, since they break memory.
  var isMemoryAtStake = false

  init(of variable: String, by uses: [Use]) {
    self.variable = variable
    self.uses = uses.sorted { $0.strand < $1.strand }
  }

  /// Whether both are of one variable, by the same strands at the same lines.
  func isAlike(_ other: Race) -> Bool {
    variable == other.variable
      && zip(uses, other.uses).allSatisfy { $0.strand == $1.strand && $0.site == $1.site }
  }

  /// Takes over what strands do besides in a race that is alike.
  mutating func merge(_ other: Race) {
    for index in uses.indices {
      uses[index].isWrite = uses[index].isWrite || other.uses[index].isWrite
    }
  }
}
