import ChapterTesting
import Foundation
import Testing
import Workbook

@testable import Caches

/// What both loaders have in common.
@Suite(.timeLimit(.minutes(30))) struct LoaderTests {
  private struct Lost: Error {}

  @Test(arguments: Form.all)
  func `all that ask for one picture have one download`(_ form: Form) async {
    let desk = Desk(isOpen: false)
    let ask = form.loader(desk)
    let callers = [await ask(.a, .visible), await ask(.a, .offscreen), await ask(.a, .visible)]
    desk.open()
    for caller in callers { #expect(await caller.told == "1") }
    #expect(desk.names == "a")
  }

  @Test(arguments: Form.all)
  func `what is in memory is not loaded again`(_ form: Form) async {
    let desk = Desk()
    let ask = form.loader(desk)
    for _ in 1...3 { #expect(await ask(.a, .visible).told == "1") }
    #expect(await ask(.b, .visible).told == "2")
    #expect(desk.names == "a b")
  }

  @Test(arguments: Form.all)
  func `a failure is told to all that wait, and is not kept`(_ form: Form) async {
    let desk = Desk(isOpen: false)
    let ask = form.loader(desk)
    let callers = [await ask(.a, .visible), await ask(.a, .visible)]
    await desk.waitUntilBegun(1)
    desk.answer(1, with: .failure(Lost()))
    for caller in callers { #expect(await caller.told == "Lost()") }
    desk.open()
    #expect(await ask(.a, .visible).told == "2")
  }

  // MARK: Leaving

  @Test(arguments: Form.all)
  func `the last one to leave cancels the download, and the next one begins another`(
    _ form: Form
  ) async {
    let desk = Desk(isOpen: false)
    let ask = form.loader(width: 1, desk)
    let callers = [await ask(.a, .visible), await ask(.a, .visible)]
    await desk.waitUntilBegun(1)
    for caller in callers {
      caller.cancel()
      #expect(await caller.told == "cancelled")
    }
    #expect(desk.cancelled == 1)
    desk.open()
    #expect(await ask(.a, .visible).told == "2")
  }

  @Test(arguments: Form.all)
  func `the answer to a download that was left is not the next one's`(_ form: Form) async {
    let desk = Desk(isOpen: false, hearsCancel: false)
    let ask = form.loader(desk)
    let first = await ask(.a, .visible)
    await desk.waitUntilBegun(1)
    first.cancel()
    #expect(await first.told == "cancelled")
    let second = await ask(.a, .visible)
    await desk.waitUntilBegun(2)
    desk.answer(1)
    desk.answer(2)
    #expect(await second.told == "2")
    #expect(await ask(.a, .visible).told == "2")
  }

  // MARK: Width and urgency

  @Test(arguments: Form.all)
  func `as many are loaded at a time as may be, in the order in which they came`(
    _ form: Form
  ) async {
    let desk = Desk(isOpen: false)
    let ask = form.loader(width: 3, desk)
    let urls = (1...8).map { URL(string: "http://example.com/\($0)")! }
    var callers: [Asked] = []
    for url in urls { callers.append(await ask(url, .visible)) }
    for number in 1...8 {
      await desk.waitUntilBegun(min(8, number + 2))
      desk.answer(number)
    }
    for caller in callers { _ = await caller.result() }
    #expect(desk.most == 3)
    // The first three begin at once, in any order.
    #expect(Set(desk.begun.prefix(3)) == Set(urls.prefix(3)))
    #expect(Array(desk.begun.dropFirst(3)) == Array(urls.dropFirst(3)))
  }

  /// Who is raised and lowered while a is loaded and the others wait, and what begins when.
  static let table: [(name: String, changes: [(Int, Urgency)], order: String)] = [
    ("nobody", [], "a b c d"),
    ("b is lowered", [(1, .offscreen)], "a c d b"),
    ("all are lowered", all, "a b c d"),
    ("all are lowered, and d is raised", all + [(3, .visible)], "a d b c"),
    ("b and c are lowered, c is raised", all[1...2] + [(2, .visible)], "a c d b"),
  ]
  private static let all = (0..<4).map { ($0, Urgency.offscreen) }

  @Test(arguments: Form.all, table.map(\.name))
  func `what waits is raised and lowered, and the server sees it`(
    _ form: Form, _ name: String
  ) async throws {
    let row = try #require(Self.table.first { $0.name == name })
    let isOpen = Gate()
    try await withFolder { folder in
      try await PhotoServer.run { _ in
        await isOpen.wait()
        return Picture.numbered(1).pixmap
      } during: { server in
        let ask = form.loader(width: 1, .patient(folder))
        var asked: [Asked] = []
        for name in ["a", "b", "c", "d"] { asked.append(await ask(server.url(of: name), .visible)) }
        await server.waitUntil(.begun("a"))
        for (index, urgency) in row.changes { asked[index].set(urgency) }
        isOpen.open()
        for one in asked { #expect(await one.told == "1") }
        let begun = server.log.compactMap { event in
          if case .begun(let name) = event { name } else { nil }
        }
        // Lowered and raised again, an operation goes behind its equals.
        let order =
          name == "b and c are lowered, c is raised" && form.testDescription == "operations"
          ? "a d c b" : row.order
        #expect(begun.joined(separator: " ") == order)
      }
    }
  }

  @Test(arguments: Form.all, [(false, "a b c"), (true, "a c b")])
  func `a download is as urgent as the most urgent of those that wait, until that one leaves`(
    _ form: Form, _ row: (leaves: Bool, order: String)
  ) async {
    let desk = Desk(isOpen: false)
    let ask = form.loader(width: 1, desk)
    var asked: [Asked] = []
    for (url, urgency) in [
      (URL.a, Urgency.visible), (.b, .offscreen), (.b, .visible), (.c, .visible),
    ] {
      asked.append(await ask(url, urgency))
    }
    await desk.waitUntilBegun(1)
    if row.leaves {
      asked[2].cancel()
      _ = await asked[2].result()
    }
    desk.open()
    for one in asked { _ = await one.result() }
    #expect(desk.names == row.order)
  }

  @Test func `one that is about to leave is not begun`() {
    var flights = Flights<Urgency>(width: 1)
    _ = flights.join(.a, 1, .leaving)
    #expect(flights.begin { $0 } == nil)
  }

  // MARK: Lifetime

  @Test func `a loader goes when nobody waits, and takes all pictures along`() async {
    let desk = Desk(isOpen: false, hearsCancel: true)
    var loader: PictureLoader? = .roomy(desk)
    weak let gone = loader
    let task = Task.immediate { [loader] in try await loader!.picture(for: PictureRequest(.a)) }
    await settle(loader!)
    loader = nil
    task.cancel()
    _ = await task.result
    // Its last task has still to end.
    while gone != nil { await Task.yield() }
  }
}

#if os(Linux)
  @Suite(.timeLimit(.minutes(30))) struct LeftoverTests {
    // A process of its own: descriptors and threads belong to the whole process.
    @Test func `rounds of loading and leaving leave nothing behind`() async {
      await #expect(processExitsWith: .success) {
        try await withFolder { folder in
          try await PhotoServer.run { name in
            Picture.numbered(Int(name) ?? 0).pixmap
          } during: { server in
            let source = PictureSource.patient(folder)
            var number = 0
            await expectNothingLeft(after: 40, behindFirst: 20, fewerThan: 20) {
              for form in Form.all {
                let ask = form.loader(source)
                number += 2
                let (first, second) = (
                  await ask(server.url(of: "\(number)"), .visible),
                  await ask(server.url(of: "\(number + 1)"), .offscreen)
                )
                second.cancel()
                _ = await (first.result(), second.result())
              }
            }
          }
        }
      }
    }
  }
#endif
