import Foundation
import Synchronization

public final class Session: Sendable {
  public let number: Int

  public init(_ number: Int) { self.number = number }
}

/// Sets up its session when it is first asked for.
public final class Sessions: @unchecked Sendable {
  public enum Locking: Sendable { case never, ifNil, always }

  private let lock = NSLock()
  private let locking: Locking
  private var session: Session?

  public init(_ locking: Locking) { self.locking = locking }

  public func current() -> Session {
    switch locking {
    case .never: return setUp()
    case .ifNil: return session ?? lock.withLock { setUp() }
    case .always: return lock.withLock { setUp() }
    }
  }

  private func setUp() -> Session {
    if let session { return session }
    let new = Session(1)
    session = new
    return new
  }
}

public final class Lengths: @unchecked Sendable {
  private let lock = NSLock()
  private let isLocked: Bool
  private var known: [String: Int] = [:]

  public init(isLocked: Bool) { self.isLocked = isLocked }

  public func length(of word: String) -> Int {
    if isLocked { lock.lock() }
    defer { if isLocked { lock.unlock() } }
    if let length = known[word] { return length }
    known[word] = word.count
    return word.count
  }
}

/// Photos behind a concurrent queue.
public final class Photos: @unchecked Sendable {
  private let queue = DispatchQueue(label: "photos", attributes: .concurrent)
  private let hasBarrier: Bool
  private var photos: [Int] = []

  public init(hasBarrier: Bool) { self.hasBarrier = hasBarrier }

  public func add(_ photo: Int) {
    if hasBarrier {
      queue.async(flags: .barrier) { self.photos.append(photo) }
    } else {
      queue.async { self.photos.append(photo) }
    }
  }

  public func replace(by photos: [Int]) {
    queue.async(flags: hasBarrier ? .barrier : []) { self.photos = photos }
  }

  public var all: [Int] { queue.sync { photos } }

  public var count: Int { queue.sync { photos.count } }

  /// When all that was added before is there.
  public var finalCount: Int { queue.sync(flags: .barrier) { photos.count } }
}

/// Keeps the two values that were used last. To get one is to use it: `get` writes.
public final class RecentValues: @unchecked Sendable {
  private let queue = DispatchQueue(label: "recent", attributes: .concurrent)
  private let getsWithBarrier: Bool
  private var uses = 0
  private var used = [0, 0]

  public init(getsWithBarrier: Bool) { self.getsWithBarrier = getsWithBarrier }

  public func get(_ key: Int) -> Int {
    if getsWithBarrier { return queue.sync(flags: .barrier) { use(key) } }
    return queue.sync { use(key) }
  }

  public var count: Int { queue.sync(flags: .barrier) { uses } }

  private func use(_ key: Int) -> Int {
    uses += 1
    return uses
  }
}

/// The shape of a sync engine's operation: asynchronous, with a state of its own.
final class Upload: Operation, @unchecked Sendable {
  private enum State { case ready, executing, finished }

  private let lock = NSLock()
  private let isLocked: Bool
  private let sent = Atomic(0)
  private var state = State.ready

  init(isLocked: Bool) { self.isLocked = isLocked }

  private var current: State {
    get {
      if isLocked { lock.lock() }
      defer { if isLocked { lock.unlock() } }
      return state
    }
    set {
      if isLocked { lock.lock() }
      defer { if isLocked { lock.unlock() } }
      state = newValue
    }
  }

  var isUploading: Bool { current == .executing }

  override func main() {
    current = .executing
    sent.wrappingAdd(1_000, ordering: .acquiringAndReleasing)
    current = .finished
  }
}

/// Runs an upload and looks at it meanwhile.
public func watchUpload(isLocked: Bool) -> Bool {
  let queue = OperationQueue()
  let upload = Upload(isLocked: isLocked)
  queue.addOperation(upload)
  let wasUploading = upload.isUploading
  queue.waitUntilAllOperationsAreFinished()
  return wasUploading
}
