import Foundation

/// A lock of pthreads that many readers may hold.
final class ReadWriteLock: @unchecked Sendable {
  // Sendable: a lock of pthreads is made for several threads, and it does not move.
  private let lock: UnsafeMutablePointer<pthread_rwlock_t>

  init() {
    lock = .allocate(capacity: 1)
    pthread_rwlock_init(lock, nil)
  }

  deinit {
    pthread_rwlock_destroy(lock)
    lock.deallocate()
  }

  func read<Result>(_ body: () throws -> Result) rethrows -> Result {
    pthread_rwlock_rdlock(lock)
    defer { pthread_rwlock_unlock(lock) }
    return try body()
  }

  func write<Result>(_ body: () throws -> Result) rethrows -> Result {
    pthread_rwlock_wrlock(lock)
    defer { pthread_rwlock_unlock(lock) }
    return try body()
  }
}

/// Addresses of hosts.
///
/// The known bug: looking something up counts the hits, so that a reader writes.
extension Wrong {
  final class HostTable: @unchecked Sendable {
    // Sendable: it is not. Readers, of which there may be several, write `hits`.
    private let lock = ReadWriteLock()
    private var addresses = ["localhost": 0x7F00_0001]
    private var hits = 0

    func address(of host: String) -> Int? {
      lock.read {
        hits += 1
        return addresses[host]
      }
    }

    func set(_ address: Int, of host: String) { lock.write { addresses[host] = address } }

    var hitCount: Int { lock.read { hits } }
  }
}

extension Right {
  final class HostTable: @unchecked Sendable {
    // Sendable: `addresses` is used under `lock` only, and `hits` under `hitLock`.
    private let lock = ReadWriteLock()
    private let hitLock = NSLock()
    private var addresses = ["localhost": 0x7F00_0001]
    private var hits = 0

    func address(of host: String) -> Int? {
      hitLock.withLock { hits += 1 }
      return lock.read { addresses[host] }
    }

    func set(_ address: Int, of host: String) { lock.write { addresses[host] = address } }

    var hitCount: Int { hitLock.withLock { hits } }
  }
}
