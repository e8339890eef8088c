import Foundation

/// Runs transactions as operations on the queue that guards the database.
///
/// Its known bug: a transaction is on that queue already, and waits for it.
extension Wrong {
  final class Database: @unchecked Sendable {
    // Sendable: `rows` is used on `queue` only, which is serial.
    private let queue = DispatchQueue(label: "database")
    private let transactions = OperationQueue()
    private var rows: [Int] = []

    init() { transactions.underlyingQueue = queue }

    func insert(_ row: Int) { queue.sync { rows.append(row) } }

    func insertAll(_ rows: [Int]) {
      transactions.addOperation { rows.forEach(self.insert) }
    }

    var count: Int {
      transactions.waitUntilAllOperationsAreFinished()
      return queue.sync { rows.count }
    }
  }
}

extension Right {
  final class Database: @unchecked Sendable {
    // Sendable: `rows` is used on `queue` only, which is serial.
    private let queue = DispatchQueue(label: "database")
    private let transactions = OperationQueue()
    private var rows: [Int] = []

    init() { transactions.underlyingQueue = queue }

    func insert(_ row: Int) { queue.sync { rows.append(row) } }

    func insertAll(_ rows: [Int]) {
      transactions.addOperation {
        dispatchPrecondition(condition: .onQueue(self.queue))
        self.rows += rows
      }
    }

    var count: Int {
      transactions.waitUntilAllOperationsAreFinished()
      return queue.sync { rows.count }
    }
  }
}
