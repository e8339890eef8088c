import Dispatch
import Foundation
import Workbook

extension Subject {
  static let whoseCell = Subject(
    "whose-cell",
    asks: "A cell asks for a, leaves, and is used again for b. What does it show in the end?",
    right: .allowed("b"),
    implementations: [
      .before(
        "one completion handler for all",
        .surprising("a", "the handler of the cell takes whatever comes"),
        .allowed("b", "it came last").onlyExplored
      ) { stage in
        await shown(on: stage) { desk, whenLoaded in
          Published.PictureGrid(
            [.a, .b],
            loader: Published.PictureLoader(width: 2, memory: Shelf(), load: desk.load),
            whenLoaded: whenLoaded)
        }
      }
      .code("PictureLoaderPublished.swift", "self.completion = completion"),
      .before("the cell that has the index") { stage in
        await shown(on: stage) { desk, whenLoaded in
          Operated.PictureGrid(
            [.a, .b], loader: Operated.PictureLoader(width: 2, memory: Shelf(), load: desk.load),
            whenLoaded: whenLoaded)
        }
      }
      .code("PictureGridOperation.swift", "cells[index]?.picture"),
      .after("the cell that has the index, in a task") { _ in
        await shownByTasks()
      }
      .code("PictureGridTask.swift", "cells[index]?.picture")
      .notExplored("one of its downloads has low priority, and then no schedule can be left out"),
    ])

  static let raisedWhileWaiting = Subject(
    "raised-while-waiting",
    asks: "One at a time: a is loaded, b and c wait, and the cell of c returns. Who is next?",
    right: .allowed("a c b"),
    implementations: [
      .before(
        "operations that execute are raised",
        .surprising("a b c c", "what waits is not found, and downloaded a second time")
      ) { _ in
        await loaded(4) { desk, ended in
          let loader = Published.PictureLoader(width: 1, memory: Shelf(), load: desk.load)
          loader.load(.a) { _ in ended() }
          for url in [URL.b, .c] {
            loader.load(url) { _ in ended() }
            loader.slowDown(url)
          }
          loader.load(.c) { _ in ended() }
          return loader
        }
      }
      .code("PictureLoaderPublished.swift", "$0.isExecuting && !$0.isFinished")
      .alwaysWrong,
      .before("waiting operations are raised") { _ in
        await loaded(3) { desk, ended in
          let loader = Operated.PictureLoader(width: 1, memory: Shelf(), load: desk.load)
          let tickets = [URL.a, .b, .c].map { loader.load($0, .visible) { _ in ended() } }
          for ticket in tickets.dropFirst() { loader.set(.offscreen, of: ticket) }
          loader.set(.visible, of: tickets[2])
          return loader
        }
      }
      .code("PictureLoaderOperation.swift", "let isVisible"),
      .after("the most urgent flight begins") { _ in
        let desk = Desk(isOpen: false)
        let loader = PictureLoader.roomy(width: 1, desk)
        var requests: [PictureRequest] = []
        var tasks: [Task<Picture, any Error>] = []
        for url in [URL.a, .b, .c] {
          let request = PictureRequest(url)
          tasks.append(Task.immediate { try await loader.picture(for: request) })
          await settle(loader)
          requests.append(request)
        }
        for request in requests.dropFirst() { request.urgency = .offscreen }
        requests[2].urgency = .visible
        desk.open()
        for task in tasks { _ = try await task.value }
        return desk.names
      }
      .code("Flights.swift", "let next = flights.values")
      .notExplored("whether a caller has been heard, only the actor knows"),
    ])
}

/// What all grids have in common.
protocol Showing: AnyObject {
  func show(_ index: Int, in cell: PictureCell)
  func hide(_ index: Int, of cell: PictureCell)
  func leave()
}

extension Published.PictureGrid: Showing {}
extension Operated.PictureGrid: Showing {}
extension PictureGrid: @MainActor Showing {}

/// Asks a loader on the main queue, and then opens the desk.
///
/// - Returns: What was downloaded, in order, when so many have ended.
private func loaded(
  _ count: Int,
  _ ask: @escaping @Sendable (Desk, _ ended: @escaping @Sendable () -> Void) -> any Sendable
) async -> String {
  await result { report in
    DispatchQueue.main.async {
      let (desk, ended) = (Desk(isOpen: false), DispatchGroup())
      for _ in 0..<count { ended.enter() }
      let loader = ask(desk, ended.leave)
      desk.open()
      ended.notify(queue: .main) { withExtendedLifetime(loader) { report(desk.names) } }
    }
  }
}

/// One cell, for two pictures. Played, the answer for the first comes last.
private func shown(
  on stage: Stage,
  _ make: @escaping @Sendable (Desk, @escaping @Sendable () -> Void) -> some Showing & Sendable
) async -> String {
  await result { report in
    DispatchQueue.main.async {
      let (desk, loads) = (Desk(isOpen: stage.isExplored), DispatchGroup())
      for _ in 0..<2 { loads.enter() }
      let (grid, cell) = (make(desk, loads.leave), PictureCell())
      grid.show(0, in: cell)
      grid.hide(0, of: cell)
      grid.show(1, in: cell)
      loads.notify(queue: .main) { withExtendedLifetime(grid) { report(name(of: cell, desk)) } }
      if stage.isExplored { return }
      Task {
        await desk.waitUntilBegun(2)
        desk.open()
      }
    }
  }
}

@MainActor private func shownByTasks() async -> String {
  let (desk, ended) = (Desk(isOpen: false), Tally())
  let loader = PictureLoader.roomy(desk)
  let grid = PictureGrid([.a, .b], loader: loader, whenLoaded: ended.add)
  let cell = PictureCell()
  grid.show(0, in: cell)
  grid.hide(0, of: cell)
  grid.show(1, in: cell)
  await desk.waitUntilBegun(2)
  desk.open()
  await ended.wait(for: 2)
  return name(of: cell, desk)
}

/// Whose picture it is.
func name(of cell: PictureCell, _ desk: Desk) -> String {
  cell.picture.map { desk.begun[$0.number - 1].lastPathComponent } ?? "nothing"
}
