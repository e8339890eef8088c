import Foundation
import Testing
import Workbook

@testable import Caches

/// What both grids have in common.
@Suite(.timeLimit(.minutes(30))) @MainActor struct GridTests {
  /// A grid of either side, over a loader and a closed desk.
  @MainActor final class Screen {
    let show: @MainActor (Int, PictureCell) -> Void
    let hide: @MainActor (Int, PictureCell) -> Void
    let leave: @MainActor () -> Void
    /// Waits until the loader has heard of so many pictures.
    let heard: @MainActor (Int) async -> Void
    let isThere: () -> Bool

    init(_ side: String, _ desk: Desk, width: Int = 1) {
      let urls = (0..<4).map { URL(string: "http://example.com/\($0)")! }
      if side == "operations" {
        let grid = Operated.PictureGrid(
          urls, loader: Operated.PictureLoader(width: width, memory: Shelf(), load: desk.load))
        (show, hide, leave) = (grid.show, grid.hide, grid.leave)
        (heard, isThere) = ({ _ in }, { [weak grid] in grid != nil })
      } else {
        let loader = PictureLoader.roomy(width: width, desk)
        let grid = PictureGrid(urls, loader: loader)
        (show, hide, leave) = (grid.show, grid.hide, grid.leave)
        (heard, isThere) = (loader.waitForFlights, { [weak grid] in grid != nil })
      }
    }
  }

  nonisolated static let sides = ["operations", "tasks"]

  @Test(arguments: sides)
  func `cells that leave are lowered, one that returns is raised, and each has its picture`(
    _ side: String
  ) async {
    let desk = Desk(isOpen: false)
    let screen = Screen(side, desk)
    let cells = (0..<4).map { _ in PictureCell() }
    for index in 0..<4 {
      screen.show(index, cells[index])
      await screen.heard(index + 1)
    }
    await desk.waitUntilBegun(1)
    for index in 1...3 { screen.hide(index, cells[index]) }
    screen.show(3, cells[1])
    desk.open()
    while cells[0].picture == nil || cells[1].picture == nil || desk.begun.count < 4 {
      await Task.yield()
    }
    #expect(desk.names == "0 3 1 2")
    #expect(cells[1].picture?.number == 2)
    #expect(cells[0].picture?.number == 1)
    #expect(cells[2].picture == nil && cells[3].picture == nil)
  }

  @Test(arguments: sides)
  func `a cell that is used again shows nothing old`(_ side: String) async {
    let desk = Desk(isOpen: false)
    let (screen, cell) = (Screen(side, desk), PictureCell())
    screen.show(0, cell)
    await desk.waitUntilBegun(1)
    desk.answer(1)
    while cell.picture == nil { await Task.yield() }
    screen.hide(0, cell)
    screen.show(1, cell)
    #expect(cell.picture == nil)
    await desk.waitUntilBegun(2)
    desk.answer(2)
    while cell.picture == nil { await Task.yield() }
    #expect(cell.picture?.number == 2)
  }

  @Test(arguments: sides)
  func `a cell has one index, and a cell that goes late takes nothing from the one that has come`(
    _ side: String
  ) async {
    let (desk, cell, late, new) = (Desk(isOpen: false), PictureCell(), PictureCell(), PictureCell())
    let screen = Screen(side, desk, width: 2)
    // Nobody says that it left the first one, whose answer comes last.
    for index in 0...1 { screen.show(index, cell) }
    await desk.waitUntilBegun(2)
    screen.show(2, late)
    screen.show(2, new)
    screen.hide(2, late)
    desk.open()
    while cell.picture == nil || new.picture == nil { await Task.yield() }
    for _ in 1...100 { await Task.yield() }
    #expect(name(of: cell, desk) == "1")
  }

  @Test(arguments: sides)
  func `a search that is left, shown again, and left again, has cancelled all`(
    _ side: String
  ) async {
    let desk = Desk(isOpen: false)
    let (screen, cell) = (Screen(side, desk), PictureCell())
    screen.show(0, cell)
    await desk.waitUntilBegun(1)
    screen.leave()
    screen.show(0, cell)
    // What comes now of the first one is not taken for the second.
    for _ in 1...100 { await Task.yield() }
    screen.leave()
    while desk.cancelled < desk.begun.count { await Task.yield() }
    #expect(cell.picture == nil)
  }

  @Test(arguments: sides)
  func `a search that is left cancels its downloads, and those that wait never begin`(
    _ side: String
  ) async {
    let desk = Desk(isOpen: false)
    let (screen, cell) = (Screen(side, desk), PictureCell())
    for index in 0..<3 {
      screen.show(index, cell)
      await screen.heard(index + 1)
    }
    await desk.waitUntilBegun(1)
    screen.leave()
    await screen.heard(0)
    while desk.cancelled < 1 { await Task.yield() }
    desk.open()
    // What comes after that is first.
    screen.show(3, cell)
    while cell.picture == nil { await Task.yield() }
    #expect(desk.names == "0 3")
  }

  @Test(arguments: sides)
  func `a grid that goes cancels its downloads`(_ side: String) async {
    let desk = Desk(isOpen: false)
    var screen: Screen? = Screen(side, desk)
    screen?.show(0, PictureCell())
    await desk.waitUntilBegun(1)
    let isThere = screen!.isThere
    screen = nil
    #expect(!isThere())
    while desk.cancelled < 1 { await Task.yield() }
  }
}
