import Foundation
import Synchronization
import Workbook

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Demo {
  static let scroll = Demo(
    "scroll",
    asks: "1,000 cells, 12 of them visible, scrolled by script. What is downloaded, and shown?",
    sides: [
      .before(
        "as published",
        .surprising(bad, "what waits is not found, and one handler is for all"),
        .forbidden(right)
      ) { transcript in
        try await scrolled(transcript, findsWaiting: false) { urls, source, whenLoaded in
          let loader = Published.PictureLoader(
            width: width, memory: SystemMemory(limit: limit), load: source.load)
          return (Published.PictureGrid(urls, loader: loader, whenLoaded: whenLoaded), { _ in })
        }
      }
      .code("PictureLoaderPublished.swift", "if let operation = executing(url)"),
      .before(
        "NSCache and operations", .allowed(right), .forbidden(bad)
      ) { transcript in
        try await scrolled(transcript) { urls, source, whenLoaded in
          let loader = Operated.PictureLoader(
            width: width, memory: SystemMemory(limit: limit), load: source.load)
          return (Operated.PictureGrid(urls, loader: loader, whenLoaded: whenLoaded), { _ in })
        }
      }
      .code("PictureLoaderOperation.swift", "if let picture = memory.picture"),
      .after(
        "an actor of flights", .allowed(right), .forbidden(bad)
      ) { transcript in
        try await scrolled(transcript) { urls, source, whenLoaded in
          let loader = PictureLoader(width: width, memoryLimit: limit, load: source.load)
          let grid = PictureGrid(urls, loader: loader, whenLoaded: whenLoaded)
          return (
            grid, { count in while await loader.flightCount != count { await Task.yield() } }
          )
        }
      }
      .code("PictureLoaderActor.swift", "if let picture = memory.value"),
    ])
}

private let right = "each picture once, in its own cell"
private let bad = "pictures twice, and in wrong cells"
private let (width, limit) = (10, 4_000_000)
private let (cellCount, visibleCount) = (1_000, 12)

/// By how many cells it scrolls in each tick: a little, back and a rest; flings, with a rest and a little back between them.
private let moves =
  [24, 24, 24, -24] + rest(9) + Array(repeating: 90, count: 4) + rest(3) + [-12, -12] + rest(2)
  + Array(repeating: 100, count: 6) + [4] + rest(3)

private func rest(_ ticks: Int) -> [Int] { Array(repeating: 0, count: ticks) }

@MainActor private protocol Scrolling: AnyObject {
  func show(_ index: Int, in cell: PictureCell)
  func hide(_ index: Int)
  func leave()
}

extension Published.PictureGrid: Scrolling {}
extension Operated.PictureGrid: Scrolling {}
extension PictureGrid: Scrolling {}

/// A server that holds its answers until the next tick.
private final class Ticking: Sendable {
  private struct State {
    var held: [(name: String, go: CheckedContinuation<Void, Never>)] = []
    var requests: [String: Int] = [:]
    var isOver = false
  }

  private let state = Mutex(State())
  let arrivals = Tally()

  func picture(_ name: String) async throws -> Data {
    await withCheckedContinuation { go in
      let isOver = state.withLock { state in
        state.requests[name, default: 0] += 1
        if !state.isOver { state.held.append((name, go)) }
        return state.isOver
      }
      if isOver { go.resume() }
      arrivals.add()
    }
    return Self.picture(Int(name) ?? 0).pixmap
  }

  static func picture(_ index: Int) -> Picture {
    let pixel = Picture.numbered(index).pixels
    return Picture(width: 16, height: 16, pixels: (0..<256).flatMap { _ in pixel })
  }

  var held: [Int] { state.withLock { $0.held.compactMap { Int($0.name) } } }

  func answer(isLast: Bool = false) {
    let held = state.withLock { state in
      state.isOver = isLast
      defer { state.held = [] }
      return state.held
    }
    for (_, go) in held { go.resume() }
  }

  var requests: (all: Int, second: Int) {
    state.withLock { ($0.requests.values.reduce(0, +), $0.requests.values.count { $0 > 1 }) }
  }
}

/// Scrolls through a grid tick by tick: cells come and go; all that may begin has begun; the server answers what it
/// has; and the answers have come.
///
/// - Parameters:
///   - findsWaiting: Whether a picture that waits for its download is not asked for again.
///   - make: Makes a grid, and what waits until its loader has heard of so many pictures.
@MainActor private func scrolled(
  _ transcript: Transcript, findsWaiting: Bool = true,
  _ make:
    @MainActor ([URL], PictureSource, @escaping @Sendable () -> Void) -> (
      any Scrolling, heard: @MainActor (Int) async -> Void
    )
) async throws -> String {
  let (ticking, loaded) = (Ticking(), Tally())
  // Nothing can be kept there, so each load is a request.
  let folder = PictureFolder(URL(filePath: "/dev/null/"))
  return try await PhotoServer.run(ticking.picture) { server in
    let source = PictureSource(
      folder: folder, connections: 2 * width, silence: HTTPServer.patience)
    let (grid, heard) = make((0..<cellCount).map { server.url(of: "\($0)") }, source, loaded.add)
    var scroll = Scroll(findsWaiting: findsWaiting)
    var (late, wrong, lateByTick) = (0, 0, [Int]())
    for index in 0..<visibleCount { scroll.show(index, on: grid, held: []) }
    for move in moves {
      await ticking.arrivals.wait(for: scroll.arrivals)
      let held = ticking.held
      for _ in 0..<abs(move) { scroll.step(down: move > 0, on: grid, held: held) }
      await heard(scroll.outstanding)
      await ticking.arrivals.wait(for: scroll.arrivals)
      scroll.answered(ticking.held)
      ticking.answer()
      await loaded.wait(for: scroll.ends)
      let (isLate, isWrong) = scroll.look()
      late += isLate
      wrong += isWrong
      lateByTick.append(isLate)
    }
    await ticking.arrivals.wait(for: scroll.arrivals)
    grid.leave()
    ticking.answer(isLast: true)
    let (all, second) = ticking.requests
    transcript.row(["requests", "second ones", "bytes", "late", "wrong"])
    transcript.row(["\(all)", "\(second)", "\(scroll.answers * 768)", "\(late)", "\(wrong)"])
    transcript.say("late in each tick: \(lateByTick.map(String.init).joined(separator: " "))")
    if second == 0, wrong == 0 { return right }
    return "pictures"
      + [second > 0 ? " twice" : "", wrong > 0 ? " in wrong cells" : ""].filter { !$0.isEmpty }
      .joined(separator: ", and")
  }
}

/// Where the grid is scrolled to, and what must come of that.
@MainActor private struct Scroll {
  let findsWaiting: Bool
  private(set) var outstanding = 0
  /// How often the grid must have said that a picture is there.
  private(set) var ends = 0
  private(set) var answers = 0
  /// How many requests must have come to the server.
  var arrivals: Int { answers + min(width, outstanding) }
  private var first = 0
  private var cells: [Int: PictureCell] = [:]
  private var spare = [PictureCell(), PictureCell()]
  private var asked: Set<Int> = []
  private var there: Set<Int> = []

  init(findsWaiting: Bool) { self.findsWaiting = findsWaiting }

  mutating func step(down: Bool, on grid: any Scrolling, held: [Int]) {
    let (gone, new) = down ? (first, first + visibleCount) : (first + visibleCount - 1, first - 1)
    first += down ? 1 : -1
    if let cell = cells.removeValue(forKey: gone) { spare.append(cell) }
    grid.hide(gone)
    show(new, on: grid, held: held)
  }

  mutating func show(_ index: Int, on grid: any Scrolling, held: [Int]) {
    let cell = spare.isEmpty ? PictureCell() : spare.removeFirst()
    cells[index] = cell
    if there.contains(index) {
      ends += 1
    } else if findsWaiting ? !asked.contains(index) : !held.contains(index) {
      outstanding += 1
    }
    asked.insert(index)
    grid.show(index, in: cell)
  }

  mutating func answered(_ indices: [Int]) {
    outstanding -= indices.count
    ends += indices.count
    answers += indices.count
    there.formUnion(indices)
  }

  /// How many visible cells show nothing, and how many the picture of another one.
  func look() -> (late: Int, wrong: Int) {
    let shown = cells.map { index, cell in (index, cell.picture?.number) }
    return (
      shown.count { $0.1 == nil }, shown.count { index, number in number != nil && number != index }
    )
  }
}
