import Foundation
import Testing
import Workbook

@testable import PriorityInversion

/// What the text calls equal is tested once and run on each.
@Suite(.serialized, .timeLimit(.minutes(30))) struct ContractTests {
  static let indexes: [@Sendable () -> any Indexing] = [
    { Counted.Index() }, { Locked.Index() }, { Queued.Index() }, { Mutexed.Index() },
    { Isolated.Index() }, { Posix.Index(.none) }, { Posix.Index(.inherit) },
  ]

  @Test(arguments: indexes.indices)
  func `two who add at once lose no photo`(_ number: Int) async {
    let index = Self.indexes[number]()
    await inTasks(2, rounds: 300) { task, round in await index.add("\(task) \(round)") }
    #expect(await index.photos.count == 600)
    #expect(await Set(index.photos).count == 600)
  }

  @Test(
    arguments: [Queued.Decoder.self, Operated.Decoder.self, Isolated.Decoder.self]
      as [any Decoding.Type])
  func `each request is answered, whoever is first`(_ type: any Decoding.Type) async {
    let decoder = type.init()
    await inTasks(2, rounds: 50) { task, round in
      let photo = "\(task) \(round)"
      #expect(
        await decoder.decode(photo, isVisible: task == 0) == "decoded \(photo)")
    }
    #expect(await decoder.decoded.count == 100)
  }

  @Test(
    arguments: [Queued.Decoder.self, Operated.Decoder.self, Isolated.Decoder.self]
      as [any Decoding.Type])
  func `equally urgent requests are served in their order`(_ type: any Decoding.Type) async {
    let decoded = await line(at: type.init())
    #expect(decoded.filter { $0.hasPrefix("hidden") } == ["hidden 1", "hidden 2"])
  }

  @Test func `a preview is made once, for all who ask`() async {
    // It takes a while, so that who does not wait gets nothing; who waits gets it however long it takes.
    let make: @Sendable () -> String = {
      usleep(20_000)
      return "preview"
    }
    for preview in [Waiting.Preview(make), AwaitedTask.Preview(make)] as [any Previewing] {
      #expect(await preview.image == "preview")
      #expect(await preview.image == "preview")
    }
  }

  @Test(arguments: [0, 1])
  func `sections take turns in the order in which they came`(_ number: Int) async {
    let turn: any Turning = number == 0 ? Counted.Turn() : Chained.Turn()
    let visits = Readings<String>()
    let gate = Gate()
    var tasks = [Task.immediateDetached { await turn.take { await gate.wait() } }]
    for name in 1...5 {
      // An immediate task runs here until it waits: then it is in line.
      tasks.append(
        Task.immediateDetached(priority: name == 5 ? .high : .background) {
          await turn.take {
            visits.add("\(name) comes")
            await Task.yield()
            visits.add("\(name) goes")
          }
        })
    }
    gate.open()
    for task in tasks { await task.value }
    #expect(visits.all == (1...5).flatMap { ["\($0) comes", "\($0) goes"] })
  }
}
