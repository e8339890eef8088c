import Dispatch

/// A dictionary for many threads: read with `sync`, written with a barrier.
final class SafeDictionary<Key: Hashable & Sendable, Value: Sendable>: @unchecked Sendable {
  // Sendable: `values` is used on `queue` only.
  private let queue = DispatchQueue(label: "dictionary", attributes: .concurrent)
  private var values: [Key: Value] = [:]

  subscript(key: Key) -> Value? {
    get { queue.sync { values[key] } }
    set { queue.async(flags: .barrier) { self.values[key] = newValue } }
  }

  func update(_ key: Key, _ change: @escaping @Sendable (inout Value?) -> Void) {
    queue.async(flags: .barrier) { change(&self.values[key]) }
  }
}

/// How often words come.
///
/// The known bug: each call of the dictionary is safe, but what is read in one is written back in another.
extension Wrong {
  final class WordCount: Sendable {
    private let counts = SafeDictionary<String, Int>()

    func add(_ word: String) { counts[word] = (counts[word] ?? 0) + 1 }

    func count(of word: String) -> Int { counts[word] ?? 0 }
  }
}

extension Right {
  final class WordCount: Sendable {
    private let counts = SafeDictionary<String, Int>()

    func add(_ word: String) { counts.update(word) { $0 = ($0 ?? 0) + 1 } }

    func count(of word: String) -> Int { counts[word] ?? 0 }
  }
}
