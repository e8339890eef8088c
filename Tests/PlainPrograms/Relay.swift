import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// Passes an object from hand to hand, by whatever orders one hand after another; nothing races.
public enum Relay {
  public enum Pass: CaseIterable, Sendable {
    case task, detached, asyncLet, group, discardingGroup, throwing, stream, continuation, actor,
      mainActor
    case lock, recursiveLock, mutex, readersWriter, condition, atomic, lazyGlobal, sleep, taskLocal,
      copy
  }

  /// Passes an object on in all these ways, one after another.
  ///
  /// - Returns: How often it was changed.
  public static func run(_ passes: [Pass]) async -> Int {
    var parcel = Parcel(0)
    for pass in passes {
      parcel.content += 1
      parcel = await hand(on: parcel, pass)
      // What is freed here is used again by whoever is next.
      let scrap = Parcel(parcel.content)
      scrap.content += 1
      parcel.content = scrap.content
    }
    return parcel.content
  }

  private static func hand(on parcel: Parcel, _ pass: Pass) async -> Parcel {
    switch pass {
    case .task:
      return await Task { use(parcel) }.value
    case .detached:
      return await Task.detached { use(parcel) }.value
    case .asyncLet:
      async let used = use(parcel)
      return await used
    case .group:
      return await withTaskGroup(of: Parcel.self) { group in
        group.addTask { use(parcel) }
        return await group.next()!
      }
    case .discardingGroup:
      await withDiscardingTaskGroup { group in group.addTask { _ = use(parcel) } }
      return parcel
    case .throwing:
      let task = Task { throw Spoiled(parcel: use(parcel)) }
      do { try await task.value } catch { return (error as! Spoiled).parcel }
      return parcel
    case .stream:
      let (parcels, continuation) = AsyncStream.makeStream(of: Parcel.self)
      Task {
        continuation.yield(use(parcel))
        continuation.finish()
      }
      for await parcel in parcels { return parcel }
      return parcel
    case .continuation:
      return await withCheckedContinuation { continuation in
        Task { continuation.resume(returning: use(parcel)) }
      }
    case .actor:
      let desk = Desk()
      let task = Task { await desk.put(use(parcel)) }
      await task.value
      return await desk.take()
    case .mainActor:
      await MainActor.run { _ = use(parcel) }
      return parcel
    case .lock: return await share(parcel, Locked(NSLock()))
    case .recursiveLock: return await share(parcel, Locked(NSRecursiveLock()))
    case .mutex: return await share(parcel, Guarded())
    case .readersWriter: return await share(parcel, ReadOrWritten())
    case .condition: return await share(parcel, Locked(NSCondition()))
    case .atomic:
      let isDone = Atomic<Bool>.Box()
      let task = Task {
        _ = use(parcel)
        isDone.value.store(true, ordering: .releasing)
      }
      if isDone.value.load(ordering: .acquiring) { parcel.content += 0 }
      await task.value
      return parcel
    case .lazyGlobal:
      return await Task { () -> Parcel in
        parcel.content += Ordered.shared.content - 6
        return parcel
      }.value
    case .sleep:
      let task = Task {
        try? await Task.sleep(for: .milliseconds(5))
        return use(parcel)
      }
      return await task.value
    case .taskLocal:
      return await Ordered.$order.withValue(parcel) {
        await Task { use(Ordered.order) }.value
      }
    case .copy:
      let names = ["a name of some length, number \(parcel.content)"]
      return await Task { () -> Parcel in
        var mine = names
        mine.append("another")
        parcel.content += mine.count - 1
        return parcel
      }.value
    }
  }

  private static func use(_ parcel: Parcel) -> Parcel {
    parcel.content += 1
    return parcel
  }

  /// Two hands use it, one after the other, in any order.
  private static func share(_ parcel: Parcel, _ box: some ParcelBox) async -> Parcel {
    box.change { $0 = parcel }
    async let first: Void = box.change { $0?.content += 1 }
    async let second: Void = box.look { _ = $0?.content }
    _ = await (first, second)
    return parcel
  }
}

extension Atomic {
  fileprivate final class Box: Sendable where Value == Bool {
    let value = Atomic<Bool>(false)
  }
}

private actor Desk {
  private var parcel: Parcel?
  func put(_ parcel: Parcel) { self.parcel = parcel }
  func take() -> Parcel { parcel! }
}

private protocol ParcelBox: Sendable {
  func change(_ change: (inout Parcel?) -> Void)
  func look(_ look: (Parcel?) -> Void)
}

extension ParcelBox {
  func look(_ look: (Parcel?) -> Void) { change { look($0) } }
}

private final class Locked: ParcelBox, @unchecked Sendable {
  private let lock: any NSLocking
  private var parcel: Parcel?

  init(_ lock: any NSLocking) { self.lock = lock }

  func change(_ change: (inout Parcel?) -> Void) { lock.withLock { change(&parcel) } }
}

private final class Guarded: ParcelBox {
  private let parcel = Mutex<Parcel?>(nil)

  func change(_ change: (inout Parcel?) -> Void) { parcel.withLock { change(&$0) } }
}

private final class ReadOrWritten: ParcelBox, @unchecked Sendable {
  private let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
  private var parcel: Parcel?

  init() { pthread_rwlock_init(lock, nil) }

  deinit {
    pthread_rwlock_destroy(lock)
    lock.deallocate()
  }

  func change(_ change: (inout Parcel?) -> Void) {
    pthread_rwlock_wrlock(lock)
    defer { pthread_rwlock_unlock(lock) }
    change(&parcel)
  }

  func look(_ look: (Parcel?) -> Void) {
    pthread_rwlock_rdlock(lock)
    defer { pthread_rwlock_unlock(lock) }
    look(parcel)
  }
}
