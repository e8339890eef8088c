import Foundation

/// What a thread has had of the processors, as the system tells.
struct ThreadUse {
  /// Whether it computes, or waits for a processor or for memory that the system has to bring.
  private let isReady: Bool
  private let computed: Duration
  private let delayed: Duration
  private let offspring: Offspring

  /// - Parameter thread: Its number.
  /// - Returns: nil where the system does not tell.
  init?(of thread: Int32) {
    let folder = "/proc/self/task/\(thread)/"
    guard let stat = ProcessStat(path: folder + "stat"),
      let use = try? String(contentsOfFile: folder + "schedstat", encoding: .utf8)
    else { return nil }
    let numbers = use.split(separator: " ").compactMap { Int($0) }
    guard numbers.count > 1, numbers[0] > 0 else { return nil }
    isReady = stat.isReady
    (computed, delayed) = (.nanoseconds(numbers[0]), .nanoseconds(numbers[1]))
    offspring = Offspring(of: folder)
  }

  /// How long it has computed, or waited for something other than a processor.
  ///
  /// While a process that it has begun gets on, or would if it had a processor, it waits for that one's.
  ///
  /// - Parameters:
  ///   - earlier: What it had had before.
  ///   - time: How long ago that was.
  func time(since earlier: Self, in time: Duration) -> Duration {
    if isReady { return max(computed - earlier.computed, .zero) }
    guard !offspring.isReady, offspring == earlier.offspring else { return .zero }
    // The system counts a delay when it is over.
    return max(time - (delayed - earlier.delayed), .zero)
  }
}

/// The threads of the processes that a thread has begun, and of those that these have begun, and so on.
private struct Offspring: Equatable {
  private var ticks: [String: Int] = [:]
  private(set) var isReady = false

  /// - Parameter folder: What the system tells of the thread.
  init(of folder: String) { add(childrenOf: folder) }

  private mutating func add(childrenOf folder: String) {
    let children = try? String(contentsOfFile: folder + "children", encoding: .utf8)
    for child in children?.split(separator: " ") ?? [] {
      let threads = "/proc/\(child)/task/"
      for thread in (try? FileManager.default.contentsOfDirectory(atPath: threads)) ?? [] {
        guard let stat = ProcessStat(path: "\(threads)\(thread)/stat") else { continue }
        ticks[thread] = stat.ticks
        isReady = isReady || stat.isReady
        add(childrenOf: "\(threads)\(thread)/")
      }
    }
  }
}
