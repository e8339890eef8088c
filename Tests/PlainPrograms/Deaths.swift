import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// Code that ends a process in one order of two tasks, and in none of the others: B does so if A was first.
public enum Deadly: String, CaseIterable, Sendable, Codable {
  // The exploration goes on after these.
  case indexOutOfRange, forceUnwrap, precondition, removeFirst, overflow, checkedContinuation
  case exclusiveAccess, recursiveMutex, cast, exit
  // These end the process, or the exploration.
  case nullPointer, abort, stackOverflow, trapInLock, blocked

  /// What A and B do.
  ///
  /// - Parameter isFirst: Whether B begins first.
  public func run(isFirst: Bool = false) async {
    let stock = Stock()
    await withTaskGroup(of: Void.self) { group in
      if isFirst { group.addTask(name: "B") { await stock.use(self) } }
      group.addTask(name: "A") { await stock.empty() }
      if !isFirst { group.addTask(name: "B") { await stock.use(self) } }
    }
  }

  /// Those after which the exploration goes on.
  public static let survivable = allCases.prefix { $0 != .nullPointer }
}

private actor Stock {
  private var boxes: [Int]? = [1]
  private let record = Record()

  func empty() { boxes = nil }

  func use(_ way: Deadly) {
    guard boxes == nil else { return }
    let empty = boxes ?? []
    switch way {
    case .indexOutOfRange: record.count = empty[empty.count]
    case .forceUnwrap: record.count = boxes!.count
    case .precondition: precondition(boxes != nil, "no boxes")
    case .removeFirst:
      var rest = empty
      record.count = rest.removeFirst()
    case .overflow: record.count = Int(UInt8(record.count + 300))
    case .checkedContinuation:
      let record = record
      Task {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
          continuation.resume()
          if record.count == 0 { continuation.resume() }
        }
      }
    case .exclusiveAccess: record.changeBoth(&record.count) { record.count += 1 }
    case .recursiveMutex:
      let mutex = Mutex(0)
      mutex.withLock { _ in mutex.withLock { $0 += 1 } }
    case .cast:
      let box: any Sendable = record.count
      record.text = box as! String
    case .exit: Foundation.exit(3)
    case .nullPointer:
      record.count = UnsafePointer<Int>(bitPattern: 8 + record.count)!.pointee
    case .abort: Glibc.abort()
    case .stackOverflow: record.count = deeper(record.count)
    case .trapInLock: record.count = Record.shared.count
    case .blocked: DispatchSemaphore(value: 0).wait()
    }
  }

  /// Calls itself for ever, with something on the stack that the optimizer keeps.
  private func deeper(_ depth: Int) -> Int {
    var frame = (depth, depth, depth, depth, depth, depth, depth, depth)
    return withUnsafeMutableBytes(of: &frame) { bytes in
      bytes[depth % 64] = 1
      return deeper(depth + 1) + Int(bytes[(depth + 1) % 64])
    }
  }
}

private final class Record: @unchecked Sendable {
  // Sendable: only the task that has found no boxes uses it.
  var count = 0
  var text = ""

  func changeBoth(_ count: inout Int, _ body: () -> Void) {
    body()
    count += 1
  }

  /// Traps while all wait for it.
  static let shared: Record = {
    let record = Record()
    precondition(record.count > 0, "nothing was recorded")
    return record
  }()
}
