import Workbook

extension Subject {
  static let twoQueues = Subject(
    "two-queues",
    asks:
      "A renames a photo, on disk and then in the index; B deletes it the other way. What happens?",
    right: .allowed("consistent"),
    implementations: [
      .before(
        "two queues, crosswise", .deadlock("each is on one queue and waits for the other")
      ) {
        let library = QueuedCrosswise.Library(photos: ["a"])
        return renameAgainstDelete(in: library, stoppedOver: library)
      }
      .code("LibraryCrosswise.swift", "disk.sync")
      .watched("deadlock, confirmed: A, B", "before A blocks")
      .found(
        "a cycle of 2: A waits for queue index, held by B; B waits for queue disk, held by A"),
      .before("one queue for both") {
        let library = Queued.Library(photos: ["a"])
        return renameAgainstDelete(in: library, stoppedOver: library)
      }
      .code("LibrarySerialQueue.swift", "queue.sync"),
      .after(
        "two actors, crosswise",
        .surprising("inconsistent", "no deadlock: each finds what the other has half done"),
        meanwhile: .waits
      ) {
        let library = IsolatedCrosswise.Library(photos: ["a"])
        return renameAgainstDelete(in: library, stoppedOver: library.disk)
      }
      .code("LibraryTwoActors.swift", "if names.remove"),
      .after("one actor for both") {
        let library = Isolated.Library(photos: ["a"])
        return renameAgainstDelete(in: library, stoppedOver: library)
      }
      .code("LibraryActor.swift", "func rename"),
    ])
}

/// Photos on disk and their titles in an index; when nobody is at work, the two name the same photos.
private protocol Cataloguing: Sendable {
  func rename(_ name: String, to new: String) async
  func delete(_ name: String) async
  var isConsistent: Bool { get async }
}

extension Queued.Library: Cataloguing {}
extension QueuedCrosswise.Library: Cataloguing {}
extension Isolated.Library: Cataloguing {}
extension IsolatedCrosswise.Library: Cataloguing {}

/// A is stopped while it changes the name on disk.
private func renameAgainstDelete(
  in library: some Cataloguing, stoppedOver shared: some AnyObject & Sendable
) -> Encounter {
  Encounter(over: shared, stoppedAt: .change(2)) {
    await library.rename("a", to: "b")
  } by: {
    await library.delete("a")
  } outcome: { _, _ in
    await library.isConsistent ? "consistent" : "inconsistent"
  }
}
