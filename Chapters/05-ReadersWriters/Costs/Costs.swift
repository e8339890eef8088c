import Synchronization

/// What `workbook-costs` compares: forms of one work, in turn, each against the first.
public let comparisons:
  [(work: String, forms: [(name: String, run: @Sendable () async throws -> Void)])] =
    [(99, 1), (50, 50)].map { reads, writes in
      (
        "photo manager, 4 callers, \(reads) reads to \(writes) writes",
        forms.map { form in (form.name, { await form.run(writes) }) }
      )
    }

private let forms = [
  form("Mutex", { MutexedPhotos() }, add: { $0.addPhoto(value) }, read: { $0.photos.count }),
  form(
    "serial queue", { Queued.PhotoManager() }, add: { $0.addPhoto(object) },
    read: { $0.photos.count }),
  form(
    "barrier queue, async", { Barriered.PhotoManager() }, add: { $0.addPhoto(object) },
    read: { $0.photos.count }),
  form(
    "barrier queue, sync", { BarrieredSync.PhotoManager() }, add: { $0.addPhoto(object) },
    read: { $0.photos.count }),
  form(
    "actor", { IsolatedPhotos() }, add: { await $0.addPhoto(value) },
    read: { await $0.photos.count }),
  form(
    "condition, readers first", { Conditioned.PhotoManager() }, add: { $0.addPhoto(object) },
    read: { $0.photos.count }),
  form(
    "condition, a waiting writer first", { WriterFirst.PhotoManager() },
    add: { $0.addPhoto(object) }, read: { $0.photos.count }),
  form(
    "pthread_rwlock_t", { Posix.PhotoManager() }, add: { $0.addPhoto(object) },
    read: { $0.photos.count }),
  form(
    "snapshot, a reader for each caller", { Snapshotted.PhotoManager() },
    reader: { $0.makeReader() }, add: { $0.addPhoto(value) }, read: { $0.photos.count }),
]

private let value = PhotoValue(id: 1)
private let object = LibraryPhoto(id: 1, image: Image(width: 4, height: 3))

// MARK: Without listeners, for which the others have nothing either

private final class MutexedPhotos: Sendable {
  private let stored = Mutex<[PhotoValue]>([])

  func addPhoto(_ photo: PhotoValue) { stored.withLock { $0.append(photo) } }

  var photos: [PhotoValue] { stored.withLock { $0 } }
}

private actor IsolatedPhotos {
  private(set) var photos: [PhotoValue] = []

  func addPhoto(_ photo: PhotoValue) { photos.append(photo) }
}

// MARK: The work

/// Makes a manager, and has it used, with so many writes in a hundred calls.
private typealias Form = (name: String, run: @Sendable (_ writes: Int) async -> Void)

private func form<Manager: Sendable>(
  _ name: String, _ make: @escaping @Sendable () -> Manager,
  add: @escaping @Sendable (Manager) async -> Void,
  read: @escaping @Sendable (Manager) async -> Int
) -> Form {
  form(name, make, reader: { $0 }, add: add, read: { await read($0) })
}

/// Four callers make 4,000 calls each, with the writes spread among the reads. Then one more read waits for the writes that
/// nobody waited for.
private func form<Manager: Sendable, Reader>(
  _ name: String, _ make: @escaping @Sendable () -> Manager,
  reader: @escaping @Sendable (Manager) -> Reader,
  add: @escaping @Sendable (Manager) async -> Void,
  read: @escaping @Sendable (inout Reader) async -> Int
) -> Form {
  (
    name,
    { writes in
      let manager = make()
      await withDiscardingTaskGroup { group in
        for _ in 0..<4 {
          group.addTask {
            var (reader, count) = (reader(manager), 0)
            for call in 0..<4_000 {
              if call * 37 % 100 < writes {
                await add(manager)
              } else {
                count += await read(&reader)
              }
            }
            precondition(count >= 0)
          }
        }
      }
      var last = reader(manager)
      _ = await read(&last)
    }
  )
}
