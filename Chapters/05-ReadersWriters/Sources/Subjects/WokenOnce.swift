import Workbook

extension Subject {
  static let wokenOnce = Subject(
    "woken-once",
    asks: "Three write under a lock that is made of a condition. Are two ever inside?",
    right: .allowed("one at a time"),
    implementations: [
      .before(
        "looks again: if",
        .surprising("two inside", "two are woken, and neither looks whether the other is inside"),
        .race
      ) { stage in await writing(stage, WokenOnceAccess().write) }
      .code("WokenOnceAccess.swift", "if isWriting")
      .notPlayed("it takes three, two of which wait"),
      .before("looks again: while") { stage in
        await writing(stage, SharedAccess().write)
      }
      .code("SharedAccess.swift", "while isWriting || readers"),
    ])

  static let readersAndWriter = Subject(
    "readers-and-writer",
    asks: "B writes while A and C read. Is anybody inside beside the writer?",
    right: .allowed("nobody beside the writer"), .forbidden("somebody beside the writer"),
    implementations: [
      .before("condition, readers first") { stage in
        let access = SharedAccess()
        return await reading(stage, access.read, access.write)
      }
      .code("SharedAccess.swift", "while isWriting"),
      .before("condition, a waiting writer first") { stage in
        let access = WriterFirstAccess()
        return await reading(stage, access.read, access.write)
      }
      .code("WriterFirstAccess.swift", "while isWriting || waitingWriters"),
    ])
}

private typealias Section = @Sendable (_ body: () -> Void) -> Void

// Sendable because it is written inside of the lock only; where the lock is wrong, that is false on purpose.
private final class Inside: @unchecked Sendable {
  var count = 0
}

private func writing(_ stage: Stage, _ write: @escaping Section) async -> String {
  let inside = Inside()
  await stage.run(3, called: "writer", on: .threads) { _ in
    write { inside.count += 1 }
  }
  return inside.count == 3 ? "one at a time" : "two inside"
}

private func reading(
  _ stage: Stage, _ read: @escaping Section, _ write: @escaping Section
) async -> String {
  let (inside, torn) = (Inside(), Inside())
  await stage.run(3, called: "caller", on: .threads) { number in
    if number == 1 {
      write {
        inside.count += 1
        inside.count += 1
      }
    } else {
      read { if !inside.count.isMultiple(of: 2) { torn.count = 1 } }
    }
  }
  return torn.count == 0 ? "nobody beside the writer" : "somebody beside the writer"
}
