import Dispatch
import Workbook

extension Subject {
  static let announcedEarly = Subject(
    "announced-early",
    asks: "The album of two photos says that it is done. How many requests are answered?",
    right: .allowed("2 of 2"),
    implementations: [
      .before(
        "queue.async(group:)",
        .surprising("0 of 2", "the group counts blocks that begin downloads, and not downloads"),
        .surprising("1 of 2", "one came in meanwhile").onlyExplored,
        .allowed("2 of 2", "both came in meanwhile").onlyExplored
      ) { stage in
        let network = Network(holding: stage.isExplored ? .none : .first)
        let answers = await result {
          CountingStarts.Album(fetch: network.fetch).load(
            ["a", "missing"], on: .global(), then: $0)
        }
        if !stage.isExplored { network.release() }
        return told(answers, of: 2)
      }
      .code("AlbumCountingStarts.swift", "async(group: group)"),
      .before("enter and leave, notify with a block") { _ in
        let network = Network()
        let answers = await result {
          Grouped.Album(fetch: network.fetch).load(["a", "missing"], on: .global(), then: $0)
        }
        return told(answers, of: 2)
      }
      .code("AlbumGroup.swift", "fetch(name) { answer in"),
      .before("enter and leave, notify with a work item") { _ in
        let network = Network()
        let answers = await result {
          _ = Notified.Album(fetch: network.fetch)
            .load(["a", "missing"], on: .global(), then: $0)
        }
        return told(answers, of: 2)
      }
      .code("AlbumWorkItem.swift", "let item = DispatchWorkItem"),
      .before(
        "wait(timeout:) off main", .allowed("2 of 2"),
        .allowed("timed out", "the caller is told that not all is there").onlyExplored
      ) { _ in
        let network = Network()
        let outcome = await result {
          Waiting.Album(fetch: network.fetch)
            .load(["a", "missing"], within: .seconds(60), then: $0)
        }
        switch outcome {
        case .success(let answers): return told(answers, of: 2)
        case .failure: return "timed out"
        }
      }
      .code("AlbumQueue.swift", "group.wait(timeout:"),
      .after("task group") { _ in
        let network = Network()
        let answers = await TaskGrouped.Album(fetch: network.photo(named:)).load(["a", "missing"])
        return told(answers, of: 2)
      }
      .code("AlbumTaskGroup.swift", "group.addTask {"),
    ])

  static let betweenQueues = Subject(
    "between-queues",
    asks: "A photo goes from the network to a queue, and is developed there. Is it waited for?",
    right: .allowed("1 of 1"),
    implementations: [
      .before(
        "leave, and then the next member",
        .surprising("0 of 1", "the group is empty between the two"),
        .allowed("1 of 1", "it was developed meanwhile")
      ) { _ in
        let network = Network()
        let answers = await result {
          LeavingBetween.Album(fetch: network.fetch).load(["a"], on: .global(), then: $0)
        }
        return told(answers, of: 1)
      }
      .code("AlbumLeavingBetween.swift", "group.leave()")
      .notPlayed("how long the group is empty is up to the machine"),
      .before("the next member, and then leave") { _ in
        let network = Network()
        let answers = await result {
          OnTwoQueues.Album(fetch: network.fetch).load(["a"], on: .global(), then: $0)
        }
        return told(answers, of: 1)
      }
      .code("AlbumTwoQueues.swift", "developing.async(group: group)")
      .notPlayed("groups/download plays it"),
      .after("task group") { _ in
        let network = Network()
        let answers = await TaskGrouped.Album(fetch: network.photo(named:)).load(["a"])
        return told(answers, of: 1)
      }
      .code("AlbumTaskGroup.swift", "group.addTask {")
      .notPlayed("groups/download plays it"),
    ])

  static let enterTooLate = Subject(
    "enter-too-late",
    asks: "The block that begins a download enters the group. How many of two are waited for?",
    right: .allowed("2 of 2"),
    implementations: [
      .before(
        "enter in the block",
        .surprising("0 of 2", "the group is empty when it is asked to tell"),
        .surprising("1 of 2", "the group is empty again before the second enters"),
        .allowed("2 of 2", "both entered before")
      ) { _ in
        let network = Network()
        let answers = await result {
          EnteringLate.Album(fetch: network.fetch).load(["a", "b"], on: .global(), then: $0)
        }
        return told(answers, of: 2)
      }
      .code("AlbumEnteringLate.swift", "DispatchQueue.global().async")
      .notPlayed("which of the two comes first is up to Dispatch"),
      .before("enter before the block") { _ in
        let network = Network()
        let answers = await result {
          EnteringFirst.Album(fetch: network.fetch).load(["a", "b"], on: .global(), then: $0)
        }
        return told(answers, of: 2)
      }
      .code("AlbumConcurrentQueue.swift", "group.enter()")
      .notPlayed("what it cures is not played"),
      .after("task group") { _ in
        let network = Network()
        let answers = await TaskGrouped.Album(fetch: network.photo(named:)).load(["a", "b"])
        return told(answers, of: 2)
      }
      .code("AlbumTaskGroup.swift", "group.addTask {")
      .notPlayed("groups/announced-early plays it"),
    ])

  static let wrongBranch = Subject(
    "wrong-branch",
    asks: "A photo fails once and is asked for again. Is it there when the album is done?",
    right: .allowed("1 of 1"),
    implementations: [
      .before(
        "leave in the branch that tries again",
        .surprising("0 of 1", "the group is empty while the second try is under way"),
        .allowed("1 of 1", "the second try came in meanwhile").onlyExplored
      ) { stage in
        let network = Network(holding: stage.isExplored ? .none : .second)
        let answers = await result {
          LeavingToRetry.RetryingAlbum(fetch: network.fetch)
            .load(["flaky"], on: .global(), then: $0)
        }
        if !stage.isExplored { network.release() }
        return told(answers, of: 1)
      }
      .code("RetryingAlbumLeavingToRetry.swift", "  group.leave()"),
      .before("leave where a request has ended") { _ in
        let network = Network()
        let answers = await result {
          Grouped.RetryingAlbum(fetch: network.fetch).load(["flaky"], on: .global(), then: $0)
        }
        return told(answers, of: 1)
      }
      .code("RetryingAlbumGroup.swift", "let finish"),
      .after("task group, the retry in the child") { _ in
        let network = Network()
        let answers = await TaskGrouped.RetryingAlbum(fetch: network.photo(named:)).load(["flaky"])
        return told(answers, of: 1)
      }
      .code("RetryingAlbumTaskGroup.swift", "await TaskGrouped.Album"),
    ])
}
