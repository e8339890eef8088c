import Dispatch
import Synchronization

/// What stands for the network: it knows every photo but "missing", fails once with each "flaky", and calls back on a
/// queue of its own.
final class Network: Sendable {
  struct Failure: Error {}

  /// Which requests are not answered before ``release()``.
  enum Held { case none, first, second }

  let queue: DispatchQueue
  private let late = DispatchQueue(label: "late")
  private let held: Held
  private let askedForFlaky = Atomic(0)
  private let open = Atomic(0)
  private let downloaded = Atomic(0)

  init(_ attributes: DispatchQueue.Attributes = [], holding held: Held = .none) {
    queue = DispatchQueue(label: "network", attributes: attributes)
    self.held = held
    if case .none = held { return }
    late.suspend()
  }

  /// How many requests are under way.
  var underWay: Int { open.load(ordering: .sequentiallyConsistent) }

  /// How many photos have been downloaded.
  var downloads: Int { downloaded.load(ordering: .sequentiallyConsistent) }

  /// Answers what was held.
  func release() { late.resume() }

  func fetch(_ name: String, then completion: @escaping @Sendable (Answer) -> Void) {
    let (answer, isFirst) = ask(for: name)
    (holds(isFirst) ? late : queue).async {
      self.note(answer)
      completion(answer)
    }
  }

  func photo(named name: String) async throws -> Photo {
    let (answer, _) = ask(for: name)
    await Task.yield()
    if Task.isCancelled {
      open.subtract(1, ordering: .sequentiallyConsistent)
      throw CancellationError()
    }
    note(answer)
    return try answer.get()
  }

  private func holds(_ isFirst: Bool) -> Bool {
    switch held {
    case .none: false
    case .first: isFirst
    case .second: !isFirst
    }
  }

  private func ask(for name: String) -> (Answer, isFirst: Bool) {
    open.add(1, ordering: .sequentiallyConsistent)
    switch name {
    case "missing": return (.failure(Failure()), true)
    case "flaky":
      let isFirst = askedForFlaky.add(1, ordering: .sequentiallyConsistent).newValue == 1
      return (isFirst ? .failure(Failure()) : .success(.grain), isFirst)
    default: return (.success(.grain), true)
    }
  }

  private func note(_ answer: Answer) {
    if case .success = answer { downloaded.add(1, ordering: .sequentiallyConsistent) }
    open.subtract(1, ordering: .sequentiallyConsistent)
  }
}

extension Photo {
  /// A photo of one pixel, with light 10.
  static let grain = Photo(width: 1, height: 1, pixels: [2, 3, 5])
}

/// What a thread is called back with; it waits.
func waiting(for begin: (_ completion: @escaping @Sendable (Answer) -> Void) -> Void) -> Answer? {
  let (done, slot) = (DispatchSemaphore(value: 0), Slot())
  begin { answer in
    slot.answer = answer
    done.signal()
  }
  done.wait()
  return slot.answer
}

// Sendable because it is written before the signal and read after the wait.
private final class Slot: @unchecked Sendable {
  var answer: Answer?
}

/// How many requests of an album were answered when it was told to be done.
func told(_ answers: [Answer], of count: Int) -> String { "\(answers.count) of \(count)" }
