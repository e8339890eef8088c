/// Whether the order of those who enter a group and those who leave it can be told.
///
/// Enters and leaves add up, whatever their order, and who waits finds the group empty or does not. The order tells in
/// two cases. A leave may come before the enter that it needs, and trap. And who has asked to be told is told once the
/// group is empty, which it may be only for the moment between a leave and an enter.
extension HappensBefore {
  var canTellEntersFromLeaves: Bool {
    var groups: [ObjectID: Group] = [:]
    for index in steps.indices {
      let result = steps[index].result
      for use in steps[index].operation?.uses(madeIn: result) ?? [] {
        switch use.action {
        case .arrive where result == .refused:
          groups[use.object, default: Group()].tells = true
        case .enter where use.mode == .post:
          if groups[use.object]?.tells == true { return true }
          groups[use.object, default: Group()].enters.append(index)
        case .leave:
          // Who leaves what nobody has ever entered traps in every order, or is the end of a work item.
          guard let group = groups[use.object], group.hasEnters else { continue }
          guard let own = group.enters.lastIndex(where: { comes($0, before: index) }) else {
            return true
          }
          groups[use.object]!.enters.remove(at: own)
        default: break
        }
      }
    }
    return false
  }

  private struct Group {
    /// The steps that entered it and that no leave needs yet.
    var enters: [Int] = [] { didSet { hasEnters = true } }
    private(set) var hasEnters = false
    /// Whether somebody has asked to be told.
    var tells = false
  }
}
