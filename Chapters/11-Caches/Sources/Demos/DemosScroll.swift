import Foundation
import Synchronization
import Workbook

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
          return (grid, loader.waitForFlights)
        }
      }
      .code("PictureLoaderActor.swift", "if let picture = memory.value"),
    ])
}

private let right = "each picture once, in its own cell"
private let bad = "pictures twice, or in wrong cells"
private let (width, limit) = (10, 4_000_000)
private let (cellCount, visibleCount) = (1_000, 12)

/// By how many cells it scrolls in each tick: a little, back and a rest; flings, with a rest and a little back between them.
private let moves =
  [24, 24, 24, -24] + rest(9) + Array(repeating: 90, count: 4) + rest(3) + [-12, -12] + rest(2)
  + Array(repeating: 100, count: 6) + [4] + rest(3)

private func rest(_ ticks: Int) -> [Int] { Array(repeating: 0, count: ticks) }

/// A server that holds its answers until the next tick.
private final class Ticking: Sendable {
  private struct State {
    var held: [(name: String, go: CheckedContinuation<Void, Never>)] = []
    var requests: [String: Int] = [:]
  }

  private let state = Mutex(State())
  let arrivals = Tally()

  func picture(_ name: String) async throws -> Data {
    await withCheckedContinuation { go in
      state.withLock { state in
        state.requests[name, default: 0] += 1
        state.held.append((name, go))
      }
      arrivals.add()
    }
    let pixel = Picture.numbered(Int(name) ?? 0).pixels
    return Picture(width: 16, height: 16, pixels: (0..<256).flatMap { _ in pixel }).pixmap
  }

  var held: [Int] { state.withLock { $0.held.compactMap { Int($0.name) } } }

  func answer(_ index: Int) {
    let go = state.withLock { state in
      state.held.firstIndex { $0.name == "\(index)" }.map { state.held.remove(at: $0).go }
    }
    go?.resume()
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
      any Showing, heard: @MainActor (Int) async -> Void
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
    var (late, wrong) = ([Int](), 0)
    for index in 0..<visibleCount {
      scroll.show(index, on: grid, held: [])
      await heard(scroll.outstanding)
    }
    for move in moves {
      await ticking.arrivals.wait(for: scroll.arrivals)
      let held = ticking.held
      for _ in 0..<abs(move) {
        scroll.step(down: move > 0, on: grid, held: held)
        await heard(scroll.outstanding)
      }
      await ticking.arrivals.wait(for: scroll.arrivals)
      // One after the other, so that each run gives the same.
      for index in ticking.held.sorted() {
        scroll.answered(index)
        ticking.answer(index)
        await loaded.wait(for: scroll.ends)
      }
      let (isLate, isWrong) = scroll.look()
      late.append(isLate)
      wrong += isWrong
    }
    await ticking.arrivals.wait(for: scroll.arrivals)
    grid.leave()
    for index in ticking.held { ticking.answer(index) }
    let (all, second) = ticking.requests
    transcript.row(["requests", "second ones", "kB of pixels", "late", "in wrong cells"])
    let (size, sum) = (scroll.answers * 768 / 1_000, late.reduce(0, +))
    transcript.row([all, second, size, sum, wrong].map(String.init))
    transcript.say("late in each tick: \(late.map(String.init).joined(separator: " "))")
    return second == 0 && wrong == 0 ? right : bad
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

  mutating func step(down: Bool, on grid: any Showing, held: [Int]) {
    let (gone, new) = down ? (first, first + visibleCount) : (first + visibleCount - 1, first - 1)
    first += down ? 1 : -1
    if let cell = cells.removeValue(forKey: gone) {
      spare.append(cell)
      grid.hide(gone, of: cell)
    }
    show(new, on: grid, held: held)
  }

  mutating func show(_ index: Int, on grid: any Showing, held: [Int]) {
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

  mutating func answered(_ index: Int) {
    outstanding -= 1
    ends += 1
    answers += 1
    there.insert(index)
  }

  /// How many visible cells show nothing, and how many the picture of another one.
  func look() -> (late: Int, wrong: Int) {
    let shown = cells.map { index, cell in (index, cell.picture?.number) }
    return (
      shown.count { $0.1 == nil }, shown.count { index, number in number != nil && number != index }
    )
  }
}
