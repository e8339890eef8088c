extension Kinds {
  /// What becomes of the calls.
  enum Fate: Hashable, Sendable {
    /// The outer block begins and ends at the brackets; at `i` the inner one runs, or the iterations have ended.
    case runs(String)
    case trap
    case hang

    init(_ text: some StringProtocol) {
      switch text {
      case "trap": self = .trap
      case "hang": self = .hang
      default: self = .runs(String(text))
      }
    }
  }

  /// Real Dispatch on Linux, 20 runs each, in every other one of which the outer block lingers before its end; of
  /// the row with two, 200 runs trapped 197 times.
  private static let measured = """
    outer              place   sync    async     barrierSync barrierAsync perform performSync
    serialSync         same    trap    []i       trap        []i          [i]     trap
    serialAsync        same    trap    []i       trap        []i          [i]     trap
    concurrentSync     same    [i]     []i|[i]   hang        []i          [i]     [i]
    concurrentAsync    same    [i]     []i|[i]   hang        []i          [i]     [i]
    barrierSync        same    trap    []i       trap        []i          [i]     trap
    barrierAsync       same    trap    []i       trap        []i          [i]     trap
    globalSync         same    [i]     []i|[i]   [i]         []i|[i]      [i]     [i]
    globalAsync        same    [i]     []i|[i]   [i]         []i|[i]      [i]     [i]
    mainAsync          same    trap    []i       trap        []i          [i]     trap
    onConcurrentTarget same    trap    []i       trap        []i          [i]     trap
    onConcurrentTarget sibling [i]     []i|[i]   [i]         []i|[i]      [i]     [i]
    onConcurrentTarget target  [i]     []i|[i]   hang        []i          [i]     [i]
    onSerialTarget     same    trap    []i       trap        []i          [i]     trap
    onSerialTarget     sibling trap    []i       trap        []i          [i]     trap|hang
    onSerialTarget     target  trap    []i       trap        []i          [i]     trap
    """

  /// What becomes of all calls.
  static let fates: [Kinds: Set<Fate>] = {
    let rows = measured.split(separator: "\n").map { $0.split(separator: " ") }
    var fates: [Kinds: Set<Fate>] = [:]
    for row in rows.dropFirst() {
      for (name, cell) in zip(rows[0], row).dropFirst(2) {
        let kinds = Kinds(
          outer: Outer(rawValue: String(row[0]))!, inner: Inner(rawValue: String(name))!,
          place: Place(rawValue: String(row[1]))!)
        fates[kinds] = Set(cell.split(separator: "|").map { Fate($0) })
      }
    }
    return fates
  }()
}
