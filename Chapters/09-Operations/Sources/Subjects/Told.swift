import Dispatch
import Foundation
import Synchronization

/// What the owner of an upload is told.
final class Told: Sendable {
  private let answers = Mutex<[Answer]>([])

  func report(_ answer: Answer) { answers.withLock { $0.append(answer) } }

  /// As in: told once.
  var text: String {
    switch answers.withLock(\.count) {
    case 0: "told nothing"
    case 1: "told once"
    case 2: "told twice"
    case let count: "told \(count) times"
    }
  }
}

/// As in: 1 photo, 2 photos.
func photos(_ count: Int) -> String { "\(count) photo\(count == 1 ? "" : "s")" }

/// Runs an upload and then an announcement, which depends on it.
///
/// - Returns: How many photos the server had when it was announced.
func announced(
  _ announcement: (_ announce: @escaping @Sendable () -> Void) -> Operation,
  after upload: Operation, _ server: Server
) -> String {
  let counts = Counts()
  let announcement = announcement {
    counts.add(server.count)
    server.release()
  }
  announcement.addDependency(upload)
  let queue = OperationQueue()
  queue.addOperations([upload, announcement], waitUntilFinished: true)
  return photos(counts.sum)
}

/// A number that one thread gives to another.
final class Counts: Sendable {
  private let total = Atomic(0)

  var sum: Int { total.load(ordering: .sequentiallyConsistent) }

  func add(_ count: Int) { total.add(count, ordering: .sequentiallyConsistent) }
}
