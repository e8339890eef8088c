import Dispatch

extension Untargeted {
  // The claim of Sendable is false: each service has a queue, and the cabinet has none.
  final class Cabinet: @unchecked Sendable {
    private var papers: [String] = []

    func add(_ paper: String) {
      var all = papers
      all.append(paper)
      papers = all
    }

    var count: Int { papers.count }
  }

  struct Invoices: Sendable {
    private let queue = DispatchQueue(label: "invoices")
    let cabinet: Cabinet

    func file(_ number: Int) { queue.sync { cabinet.add("invoice \(number)") } }
  }

  struct Letters: Sendable {
    private let queue = DispatchQueue(label: "letters")
    let cabinet: Cabinet

    func file(_ number: Int) { queue.sync { cabinet.add("letter \(number)") } }
  }
}
