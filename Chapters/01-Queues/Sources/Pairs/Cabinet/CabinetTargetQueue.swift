import Dispatch

extension Targeted {
  /// What invoices and letters are filed into: each on a queue of its own, which targets this one's.
  // Sendable because `papers` is read and written on queues that target `queue` only, and on that.
  final class Cabinet: @unchecked Sendable {
    let queue = DispatchQueue(label: "cabinet")
    private var papers: [String] = []

    /// Call it on the cabinet's queue, or on one that targets it.
    func add(_ paper: String) {
      dispatchPrecondition(condition: .onQueue(queue))
      papers.append(paper)
    }

    var count: Int { queue.sync { papers.count } }
  }

  struct Invoices: Sendable {
    private let queue: DispatchQueue
    private let cabinet: Cabinet

    init(in cabinet: Cabinet) {
      queue = DispatchQueue(label: "invoices", target: cabinet.queue)
      self.cabinet = cabinet
    }

    func file(_ number: Int) { queue.sync { cabinet.add("invoice \(number)") } }
  }

  struct Letters: Sendable {
    private let queue: DispatchQueue
    private let cabinet: Cabinet

    init(in cabinet: Cabinet) {
      queue = DispatchQueue(label: "letters", target: cabinet.queue)
      self.cabinet = cabinet
    }

    func file(_ number: Int) { queue.sync { cabinet.add("letter \(number)") } }
  }
}
