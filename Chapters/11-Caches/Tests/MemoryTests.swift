import ChapterTesting
import Foundation
import Synchronization
import Testing
import Workbook

@testable import Caches

@Suite(.timeLimit(.minutes(30))) struct MemoryTests {
  // MARK: The least recently used

  @Test func `it does what a list does, 10,000 times`() {
    var random = Seeded(11)
    for limit in [0, 1, 7, 40] {
      var (memory, list) = (LRUCache<Int, Int>(limit: limit), List(limit: limit))
      for operation in 0..<2_500 {
        let key = Int.random(in: 0..<20, using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
          let (value, expected) = (memory.removeValue(for: key), list.removeValue(for: key))
          #expect(value == expected)
        case 1...4:
          let (value, expected) = (memory.value(for: key), list.value(for: key))
          #expect(value == expected)
        default:
          let cost = Int.random(in: 0...9, using: &random)
          let gone = memory.insert(operation, for: key, cost: cost)
          let expected = list.insert(operation, for: key, cost: cost)
          #expect(gone == expected)
        }
        #expect(memory.cost == list.cost && memory.count == list.entries.count)
        guard memory.cost == list.cost else { return }
      }
    }
  }

  /// The same, in the order of use, as anybody would write it first.
  private struct List {
    let limit: Int
    var entries: [(key: Int, value: Int, cost: Int)] = []

    var cost: Int { entries.reduce(0) { $0 + $1.cost } }

    mutating func value(for key: Int) -> Int? {
      guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
      entries.append(entries.remove(at: index))
      return entries.last!.value
    }

    mutating func insert(_ value: Int, for key: Int, cost: Int) -> [Int] {
      removeValue(for: key)
      if cost > limit { return [] }
      var gone: [Int] = []
      while self.cost + cost > limit { gone.append(entries.removeFirst().key) }
      entries.append((key, value, cost))
      return gone
    }

    @discardableResult
    mutating func removeValue(for key: Int) -> Int? {
      entries.firstIndex { $0.key == key }.map { entries.remove(at: $0).value }
    }
  }

  @Test func `what goes is alive no more, and what is kept goes with all`() {
    let alive = Mutex(0)
    let count = { alive.withLock { $0 } }
    for isRemoved in [false, true] {
      var memory: LRUCache<String, Probe>? = LRUCache(limit: 1)
      for name in ["a", "b", "c"] {
        memory?.insert(Probe { change in alive.withLock { $0 += change } }, for: name, cost: 1)
      }
      #expect(count() == 1)
      if isRemoved { memory?.removeValue(for: "c") } else { memory = nil }
      #expect(count() == 0)
    }
  }

  /// Says when it comes and goes.
  private final class Probe {
    private let note: (Int) -> Void

    init(_ note: @escaping (Int) -> Void) {
      self.note = note
      note(1)
    }

    deinit { note(-1) }
  }

  // MARK: NSCache

  #if os(Linux)
    @Test(
      arguments: [
        // The cheapest goes; of equals the newest, which is what comes; one too dear empties it.
        ([5, 1, 5], [0, 2]), ([3, 3, 3, 3], [0, 1, 2]), ([3, 4, 20], []),
      ] as [([Int], [Int])])
    func `what an NSCache with room for 10 keeps on Linux`(_ costs: [Int], _ expected: [Int]) {
      let cache = NSCache<NSNumber, NSNumber>()
      cache.totalCostLimit = 10
      for (number, cost) in costs.enumerated() {
        cache.setObject(NSNumber(value: number), forKey: NSNumber(value: number), cost: cost)
      }
      let kept = costs.indices.filter { cache.object(forKey: NSNumber(value: $0)) != nil }
      #expect(kept == expected)
      cache.removeAllObjects()
    }

    @Test func `a key that is no NSObject is never found again`() {
      final class Key: Hashable {
        static func == (_: Key, _: Key) -> Bool { true }
        func hash(into hasher: inout Hasher) { hasher.combine(1) }
      }
      let (cache, key) = (NSCache<Key, NSNumber>(), Key())
      cache.setObject(1, forKey: key)
      #expect(cache.object(forKey: Key()) == nil)
      cache.removeAllObjects()
    }

    @Test func `an NSCache of two that goes leaves both behind, unless it was emptied`() {
      let alive = Mutex(0)
      for isEmptied in [false, true] {
        let before = alive.withLock { $0 }
        do {
          let cache = NSCache<NSString, Probe>()
          for key in ["a", "b"] as [NSString] {
            cache.setObject(Probe { change in alive.withLock { $0 += change } }, forKey: key)
          }
          if isEmptied { cache.removeAllObjects() }
        }
        #expect(alive.withLock { $0 } - before == (isEmptied ? 0 : 2))
      }
    }
  #endif
}
