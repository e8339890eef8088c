/// What `workbook-costs` compares: forms of one work, in turn, each against the first.
public let comparisons:
  [(work: String, forms: [(name: String, run: @Sendable () async throws -> Void)])] =
    [(99, 1), (50, 50)].map { reads, writes in
      (
        "photo manager, 4 callers, \(reads) reads to \(writes) writes",
        forms.map { form in (form.name, { await form.run(writes) }) }
      )
    }

/// Each makes a manager, and has it used, with so many writes in a hundred calls.
private let forms: [(name: String, run: @Sendable (_ writes: Int) async -> Void)] = [
  (
    "Mutex",
    { writes in
      let manager = Mutexed.PhotoManager()
      await callers {
        await mix(writes) {
          manager.addPhoto(value)
        } read: {
          manager.photos.count
        }
      }
    }
  ),
  (
    "serial queue",
    { writes in
      let manager = Queued.PhotoManager()
      await callers {
        await mix(writes) {
          manager.addPhoto(object)
        } read: {
          manager.photos.count
        }
      }
      _ = manager.photos
    }
  ),
  (
    "barrier queue, async",
    { writes in
      let manager = Barriered.PhotoManager()
      await callers {
        await mix(writes) {
          manager.addPhoto(object)
        } read: {
          manager.photos.count
        }
      }
      _ = manager.photos
    }
  ),
  (
    "barrier queue, sync",
    { writes in
      let manager = BarrieredSync.PhotoManager()
      await callers {
        await mix(writes) {
          manager.addPhoto(object)
        } read: {
          manager.photos.count
        }
      }
    }
  ),
  (
    "actor",
    { writes in
      let manager = Isolated.PhotoManager()
      await callers {
        await mix(writes) {
          await manager.addPhoto(value)
        } read: {
          await manager.photos.count
        }
      }
    }
  ),
  (
    "condition, readers first",
    { writes in
      let manager = Conditioned.PhotoManager()
      await callers {
        await mix(writes) {
          manager.addPhoto(object)
        } read: {
          manager.photos.count
        }
      }
    }
  ),
  (
    "condition, a waiting writer first",
    { writes in
      let manager = FairlyConditioned.PhotoManager()
      await callers {
        await mix(writes) {
          manager.addPhoto(object)
        } read: {
          manager.photos.count
        }
      }
    }
  ),
  (
    "pthread_rwlock_t",
    { writes in
      let manager = Posix.PhotoManager()
      await callers {
        await mix(writes) {
          manager.addPhoto(object)
        } read: {
          manager.photos.count
        }
      }
    }
  ),
  (
    "snapshot, a reader for each caller",
    { writes in
      let manager = Snapshotted.PhotoManager()
      await callers {
        var reader = manager.makeReader()
        await mix(writes) {
          manager.addPhoto(value)
        } read: {
          reader.photos.count
        }
      }
    }
  ),
]

private let value = PhotoValue(id: 1)
private let object = LibraryPhoto(id: 1, image: Image(width: 4, height: 3))

private func callers(_ work: @escaping @Sendable () async -> Void) async {
  await withDiscardingTaskGroup { group in
    for _ in 0..<4 { group.addTask { await work() } }
  }
}

/// 4,000 calls, with the writes spread among the reads.
private func mix(
  _ writes: Int, write: () async -> Void, read: () async -> Int
) async {
  var count = 0
  for call in 0..<4_000 {
    if call * 37 % 100 < writes { await write() } else { count += await read() }
  }
  precondition(count >= 0)
}
