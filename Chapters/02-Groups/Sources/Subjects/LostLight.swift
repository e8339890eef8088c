import Dispatch
import Workbook

extension Subject {
  static let lostLight = Subject(
    "lost-light",
    asks: "A and B each add the light of a photo to a sum. How much of 20 is counted?",
    right: .allowed("20 of 20"),
    implementations: [
      .before(
        "plain variable", .surprising("10 of 20", "A overwrites what B added"), .race
      ) { additions(to: Unsynchronised.Exposure()) }
      .code("ExposureUnsynchronised.swift", "func add("),
      .before("NSLock") { additions(to: Locked.Exposure()) }
        .code("ExposureLock.swift", "let light"),
      .before("serial queue") { additions(to: Queued.Exposure()) }
        .code("ExposureSerialQueue.swift", "let light"),
      .after(
        "task group, children return", .allowed("20 of 20", "the parent adds; nothing is shared")
      ) { _ in
        "\(await TaskGrouped.Exposure().measure([.grain, .grain])) of 20"
      }
      .code("ExposureTaskGroup.swift", "group.addTask { photo.light }"),
    ])
}

/// Adds up the light of photos: what each member of the group does.
private protocol Adding: AnyObject, Sendable {
  func add(_ photo: Photo)
  var total: Int { get }
}

extension Unsynchronised.Exposure: Adding {}
extension Locked.Exposure: Adding {}
extension Queued.Exposure: Adding {}

/// A is stopped between its read and its write.
private func additions(to exposure: some Adding) -> Encounter {
  Encounter(over: exposure, stoppedAt: .store(1)) { _ in
    exposure.add(.grain)
  } outcome: { _, _ in
    "\(exposure.total) of 20"
  }
}
