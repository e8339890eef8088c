import Foundation
import Workbook

extension Demo {
  static let whatIsEvicted = Demo(
    "what-is-evicted",
    asks: "A memory has room for a, b and c. Then a is used, and d comes. Which one goes?",
    sides: [
      .before(
        "NSCache",
        .surprising(
          "a b c are there", "on Linux, the newest of equals goes, which is what comes"),
        .forbidden("a c d are there")
      ) { _ in
        let memory = SystemMemory(limit: 3 * Picture.numbered(0).cost)
        return present(
          insert: { memory.keep(.numbered($0), for: $1) }, find: { memory.picture(for: $0) != nil })
      }
      .code("SystemMemory.swift", "cache.setObject"),
      .after(
        "LRUCache", .allowed("a c d are there"), .forbidden("a b c are there")
      ) { _ in
        var memory = LRUCache<URL, Picture>(limit: 3 * Picture.numbered(0).cost)
        return present(
          insert: { _ = memory.insert(.numbered($0), for: $1, cost: Picture.numbered($0).cost) },
          find: { memory.value(for: $0) != nil })
      }
      .code("LRUCache.swift", "let oldest"),
    ])

  static let biggerCache = Demo(
    "bigger-cache",
    asks: "100 pictures are looked at one after the other, ten times. How many are found?",
    sides: [
      scan(room: 50, .allowed(found(0)), .forbidden(found(900))),
      scan(
        room: 99, .surprising(found(0), "each one goes right before it is looked at again"),
        .forbidden(found(900))),
      scan(room: 100, .allowed(found(900)), .forbidden(found(0))),
    ])

  static let readInDelegate = Demo(
    "read-in-delegate",
    asks: "Something is evicted, and who hears of it looks into the memory. Does it return?",
    sides: [
      .hazard(
        .before, "the delegate of an NSCache", reading,
        .surprising("hang", "on Linux, the delegate is called under the lock of the cache"),
        .forbidden("it returns")
      )
      .code("DemosMemory.swift", "func cache("),
      .after("what insert returns", .allowed("it returns"), .forbidden("hang")) { transcript in
        var memory = LRUCache<String, Int>(limit: 1)
        memory.insert(1, for: "a", cost: 1)
        for key in memory.insert(2, for: "b", cost: 1) {
          transcript.say("\(key) has gone, and b is \(memory.value(for: "b") ?? 0)")
        }
        return "it returns"
      }
      .code("LRUCache.swift", "return gone"),
    ])
}

private func present(insert: (Int, URL) -> Void, find: (URL) -> Bool) -> String {
  let urls = ["a", "b", "c", "d"].map { URL(string: "http://example.com/\($0)")! }
  for (number, url) in urls.prefix(3).enumerated() { insert(number, url) }
  _ = find(urls[0])
  insert(3, urls[3])
  return urls.filter(find).map(\.lastPathComponent).joined(separator: " ") + " are there"
}

private func found(_ count: Int) -> String { "\(count) of 1,000 are found" }

private func scan(room: Int, _ outcomes: Outcome...) -> Side {
  Side(.after, "LRUCache, room for \(room)", outcomes) { _ in
    var memory = LRUCache<Int, Int>(limit: room)
    var hits = 0
    for _ in 1...10 {
      for number in 1...100 {
        if memory.value(for: number) != nil {
          hits += 1
        } else {
          memory.insert(0, for: number, cost: 1)
        }
      }
    }
    return found(hits)
  }
  .code("LRUCache.swift", "while cost > limit - newCost")
}

private let reading = Hazard("caches/read-in-delegate") { transcript in
  let (cache, reader) = (NSCache<NSString, NSString>(), Reader())
  cache.countLimit = 1
  cache.delegate = reader
  cache.setObject("1", forKey: "a")
  transcript.aboutToBlock("a look into the cache from its delegate")
  cache.setObject("2", forKey: "b")
  transcript.say("\(reader.evictions) evicted")
  return "it returns"
}

/// Looks into the cache that tells it of an eviction.
private final class Reader: NSObject, NSCacheDelegate {
  var evictions = 0

  func cache(_ cache: NSCache<AnyObject, AnyObject>, willEvictObject object: Any) {
    if cache.object(forKey: "a" as NSString) != nil { evictions += 1 }
  }
}
