import Dispatch
import Workbook

extension Subject {
  static let ownGroup = Subject(
    "own-group",
    asks: "A folder in the import waits for the group that it is a member of. When does it end?",
    right: .allowed("imported"), .forbidden("0 imported"),
    implementations: [
      .before("one group for all", .deadlock("a member waits for all members")) { stage in
        let importing = Waiting.Import(on: .global())
        importing.start(Folder([], folders: [Folder(["a"])]))
        stage.aboutToBlock("group.wait() in a member of the group")
        importing.group.wait()
        return "imported"
      }
      .code("ImportWaitingForItself.swift", "self.start(inner)")
      .alwaysWrong
      .watched("deadlock, confirmed: a thread", "before the member blocks")
      .found(
        "scenario waits for DispatchGroup of Import; global 1 waits for DispatchGroup of Import"),
      .before("a leave is missing", .deadlock("an early return leaves it out")) { stage in
        let importing = Forgetful.Import(on: .global())
        importing.start(Folder(["a", ""]))
        stage.aboutToBlock("group.wait() for two enters and one leave")
        importing.group.wait()
        return "imported"
      }
      .code("ImportForgettingLeave.swift", "queue.async")
      .alwaysWrong
      .watched("suspected: main", "nobody knows what would leave")
      .found(
        "scenario waits for DispatchGroup of Import"),
      .before("a group a folder") { _ in
        waiting { done in
          CalledBack.Import(on: .global()).start(album) { done("imported") }
        }
      }
      .code("ImportGroup.swift", "start(inner)"),
      .after("task group") { _ in
        let count = await Awaited.Import().start(album)
        return count == 2 ? "imported" : "\(count) imported"
      }
      .code("ImportTaskGroup.swift", "for photo in"),
    ])
}

private let album = Folder(["a", ""], folders: [Folder(["b"])])
