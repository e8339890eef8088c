extension Isolated {
  actor Cabinet {
    private var papers: [String] = []

    func add(_ paper: String) { papers.append(paper) }

    var count: Int { papers.count }
  }

  struct Invoices: Sendable {
    let cabinet: Cabinet

    func file(_ number: Int) async { await file(number, in: cabinet) }

    /// Runs on the actor that it is given, as a block runs on the target of its queue: nobody comes in between.
    private func file(_ number: Int, in cabinet: isolated Cabinet) {
      cabinet.add("invoice \(number)")
    }
  }

  struct Letters: Sendable {
    let cabinet: Cabinet

    func file(_ number: Int) async { await cabinet.add("letter \(number)") }
  }
}
