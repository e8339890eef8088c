import Foundation
import Synchronization

#if canImport(FoundationXML)
  import FoundationXML
#endif

// Ends of objects that the explorer does not see, each as Limits.md says it. The outcomes are the real ones.

extension LifetimeProgram {
  private final class Total: @unchecked Sendable {
    // Sendable: each of the two ends writes it, and no more than that; the race is what the program shows.
    var last = 0
  }

  private final class Entry: Sendable {
    private let total: Total
    private let number: Int
    init(_ number: Int, _ total: Total) { (self.number, self.total) = (number, total) }
    deinit { total.last = number }
  }

  /// Each drops both, in another order; each end stores its number into the same variable.
  public static let storeElsewhere = LifetimeProgram(
    "two ends that store into one variable", ["1", "2"]
  ) { runner in
    let total = Total()
    func parts() -> [Part] {
      let (one, two) = (Entry(1, total), Entry(2, total))
      return [Part(dropping: [one, two]), Part(dropping: [two, one])]
    }
    await runner.together(parts())
    return String(total.last)
  }

  /// Once both have dropped the stream, its producer learns of that.
  public static let streamThatIsGone = LifetimeProgram(
    "a producer of a stream that two drop",
    [
      "yes 1 2", "yes 2 1", "1 yes 2", "2 yes 1", "1 2 yes", "2 1 yes", "no 1 2", "no 2 1",
      "1 no 2", "2 no 1", "1 2 no", "2 1 no",
    ]
  ) { diary in
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    let takes = Part {
      if case .terminated = continuation.yield(1) { diary("no") } else { diary("yes") }
    }
    return Part.two(dropping: stream, diary) + [takes]
  }

  /// Who writes to an array that nobody else has writes in place.
  public static let arrayOfOne = LifetimeProgram(
    "an array that somebody else drops", ["copied", "in-place"]
  ) { diary in
    let numbers = Array(0..<100)
    let start = numbers.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    let shelf = Shelf(numbers)
    return [
      Part { diary(shelf.write() == start ? "in-place" : "copied") },
      Part { withExtendedLifetime(numbers) {} },
    ]
  }

  private final class Shelf: Sendable {
    private let numbers: Mutex<[Int]>
    init(_ numbers: [Int]) { self.numbers = Mutex(numbers) }

    /// Adds 1 to the first, and says where the numbers are then.
    func write() -> UInt {
      numbers.withLock { numbers in
        numbers[0] += 1
        return numbers.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
      }
    }
  }

  private static let kept = Mutex<Quiet?>(Quiet())

  /// Each run leaves an object for the next.
  public static let madeBefore = LifetimeProgram(
    "a weak reference to what was made before, beside who drops it", ["found", "gone"]
  ) { runner in
    let diary = Diary()
    func parts() -> [Part] {
      let object = kept.withLock { $0.take() } ?? Quiet()
      return [
        Part(lookingFor: object, diary), Part { object.use() },
      ]
    }
    await runner.together(parts())
    kept.withLock { $0 = Quiet() }
    return diary.text
  }

  #if canImport(FoundationXML)
    private final class Listener: NSObject, XMLParserDelegate, Sendable {
      private let diary: Diary
      init(_ diary: Diary) { self.diary = diary }
      func parserDidStartDocument(_ parser: XMLParser) { diary("told") }
      deinit { diary("gone") }
    }

    /// A parser's delegate is weak: it is told of the start, or is gone by then.
    public static let parsersDelegate = LifetimeProgram(
      "a parser, beside who drops its delegate", ["told gone", "gone"]
    ) { diary in
      // One strand parses.
      nonisolated(unsafe) let parser = XMLParser(data: Data("<a/>".utf8))
      let listener = Listener(diary)
      parser.delegate = listener
      return [Part { _ = parser.parse() }, Part { withExtendedLifetime(listener) {} }]
    }
  #endif
}
