import Dispatch
import Workbook

extension Subject {
  static let extraLeave = Subject(
    "extra-leave",
    asks: "On the path of an error the group is left twice. What happens?",
    right: .allowed("1 of 1"), .forbidden("0 of 1"),
    implementations: [
      .before(
        "leave in a defer, and in the guard", .trap("a group is left as often as it is entered")
      ) { stage in
        let network = Network()
        stage.aboutToBlock("the second leave() of one member")
        let answers = await result {
          // On the network's queue nothing is told before the callback that leaves has returned.
          LeavingTwice.Album(fetch: network.fetch).load(["missing"], on: network.queue, then: $0)
        }
        return told(answers, of: 1)
      }
      .code("AlbumLeavingTwice.swift", "defer { group.leave() }")
      .alwaysWrong,
      .before("one leave a member") { _ in
        let network = Network()
        let answers = await result {
          Grouped.Album(fetch: network.fetch).load(["missing"], on: network.queue, then: $0)
        }
        return told(answers, of: 1)
      }
      .code("AlbumGroup.swift", "fetch(name) { answer in"),
      .after("task group", .allowed("1 of 1", "nobody leaves: a child ends")) { _ in
        let network = Network()
        let answers = await TaskGrouped.Album(fetch: network.photo(named:)).load(["missing"])
        return told(answers, of: 1)
      }
      .code("AlbumTaskGroup.swift", "group.addTask {"),
    ])

  static let forgottenLeave = Subject(
    "forgotten-leave",
    asks: "One of two photos fails, and its path returns early. When is the album done?",
    right: .allowed("2 of 2"), .forbidden("1 of 2"),
    implementations: [
      .before(
        "return before the leave", .deadlock("nobody leaves for the photo that failed")
      ) { stage in
        let network = Network()
        stage.aboutToBlock("two enters and one leave")
        let answers = await result {
          Forgetful.Album(fetch: network.fetch).load(["a", "missing"], on: .global(), then: $0)
        }
        return told(answers, of: 2)
      }
      .code("AlbumForgettingLeave.swift", "guard case .success")
      .alwaysWrong
      .found("scenario waits for a continuation; global 1 waits for DispatchGroup in load"),
      .before("one leave on every path") { _ in
        let network = Network()
        let answers = await result {
          Grouped.Album(fetch: network.fetch).load(["a", "missing"], on: .global(), then: $0)
        }
        return told(answers, of: 2)
      }
      .code("AlbumGroup.swift", "fetch(name) { answer in"),
      .after("task group", .allowed("2 of 2", "a child ends on every path")) { _ in
        let network = Network()
        let answers = await TaskGrouped.Album(fetch: network.photo(named:)).load(["a", "missing"])
        return told(answers, of: 2)
      }
      .code("AlbumTaskGroup.swift", "group.addTask {"),
    ])
}
