/// What becomes of a file if the power goes in a save, at each step, in each order that a disk may choose.
enum PowerLoss {
  /// From good to bad.
  enum Verdict: String, CaseIterable, Comparable {
    case oldOrNew = "old or new"
    case modeLost = "another mode"
    case lost = "saved, and lost"
    case damaged = "damaged"
    case failed = "it throws"

    static func < (lhs: Verdict, rhs: Verdict) -> Bool {
      allCases.firstIndex(of: lhs)! < allCases.firstIndex(of: rhs)!
    }
  }

  private static let mode = 0o600
  private static let name = "users"
  private static let old = [UserID(number: 1): User(name: "Ada")]
  private static let new = [UserID(number: 1): User(name: "Ada", visits: 1)]

  /// - Parameter save: Replaces the file with this name on a disk.
  /// - Returns: The worst of what is found, and how many states were looked at.
  static func worst(
    of save: (_ users: [UserID: User], _ name: String, _ disk: ModelDisk) throws -> Void
  ) throws -> (verdict: Verdict, states: Int) {
    var worst = Verdict.oldOrNew
    var states = 0
    for step in 0... {
      let bytes = try StoreFormat.bytes(of: old)
      let disk = ModelDisk(holding: ModelDisk.Content(bytes: bytes, mode: mode), as: name)
      disk.lastStep = step
      var hasReturned = true
      do {
        try save(new, name, disk)
      } catch is ModelDisk.NoPower {
        hasReturned = false
      } catch {
        return (.failed, states)
      }
      for content in disk.survivors(of: name) {
        states += 1
        worst = max(worst, look(at: content, hasReturned))
      }
      if hasReturned { return (worst, states) }
    }
    preconditionFailure("a save has an end")
  }

  private static func look(at content: ModelDisk.Content?, _ hasReturned: Bool) -> Verdict {
    guard let content, let users = try? StoreFormat.users(in: content.bytes),
      users == old || users == new
    else { return .damaged }
    if hasReturned, users != new { return .lost }
    return content.mode == mode ? .oldOrNew : .modeLost
  }
}
