import Workbook

extension Demo {
  static let powerLoss = Demo(
    "power-loss",
    asks: "The power goes while a file is replaced, at any step. What is there afterwards?",
    sides: [
      .before(
        "written in place", .surprising("damaged", "the old bytes are gone before the new ones"),
        .forbidden("old or new")
      ) { try found($0, writeInPlace) }
      .code("DemosPowerLoss.swift", "try disk.write(StoreFormat.bytes(of: users), to: name)"),
      .before(
        "a temporary file, not synced",
        .surprising("damaged", "the name is on the disk before the bytes"),
        .forbidden("old or new")
      ) { try found($0, without(.sync)) }
      .code("StoreFile.swift", "case .sync:"),
      .before(
        "the folder is not synced",
        .surprising("saved, and lost", "the save has returned before the name is on the disk"),
        .forbidden("old or new")
      ) { try found($0, without(.syncFolder)) }
      .code("StoreFile.swift", "case .syncFolder:"),
      .before(
        "the mode is not copied",
        .surprising("another mode", "a new file is one that others may read"),
        .forbidden("old or new")
      ) { try found($0, without(.copyMode)) }
      .code("StoreFile.swift", "case .copyMode:"),
      .after(
        "all steps", .allowed("old or new", "and new, once the save has returned"),
        .forbidden("damaged"), .forbidden("saved, and lost"), .forbidden("another mode")
      ) { try found($0, without(nil)) }
      .code("StoreFile.swift", "for step in steps"),
    ])
}

private typealias Save = (_ users: [UserID: User], _ name: String, _ disk: ModelDisk) throws -> Void

private func without(_ step: StoreFile.Step?) -> Save {
  let steps = StoreFile.Step.allCases.filter { $0 != step }
  return { try StoreFile(name: $1, disk: $2, steps: steps).save($0) }
}

private func found(_ transcript: Transcript, _ save: Save) throws -> String {
  let (verdict, states) = try PowerLoss.worst(of: save)
  transcript.say("\(states) states of the disk")
  return verdict.rawValue
}

private func writeInPlace(_ users: [UserID: User], _ name: String, _ disk: ModelDisk) throws {
  try disk.create(name)
  try disk.write(StoreFormat.bytes(of: users), to: name)
  try disk.sync(name)
}
