import Dispatch
import Synchronization
import Workbook

extension Subject {
  static let handlerAndOwner = Subject(
    "handler-and-owner",
    asks: "The title is marked while a window takes what is dirty. Is it drawn in the end?",
    right: .allowed("drawn"), .forbidden("never drawn"),
    implementations: [
      .before(
        "taken on the window's thread",
        .surprising("never drawn", "the window clears what it has not seen").onlyExplored, .race
      ) { (_: Stage) in
        let isDirty = DispatchSemaphore(value: 0)
        let redraw = Unguarded.Redraw { isDirty.signal() }
        return draw(redraw.mark, redraw.take, isDirty)
      }
      .code("RedrawUnguarded.swift", "func take()")
      .notPlayed("when the handler runs is up to Dispatch"),
      .before("taken on the handler's queue") { (_: Stage) in
        let isDirty = DispatchSemaphore(value: 0)
        let redraw = Sourced.Redraw { isDirty.signal() }
        return draw(redraw.mark, redraw.take, isDirty)
      }
      .code("RedrawSource.swift", "func take()"),
      .after("drawn by one task") { _ in
        let marked = Async.Merged<Parts>(.union)
        let title = Atomic(0)
        let window = Task {
          await Async.redraw(marked) { parts in
            if parts.contains(.title) { title.store(1, ordering: .sequentiallyConsistent) }
          }
        }
        marked.send(.title)
        marked.finish()
        await window.value
        return title.load(ordering: .sequentiallyConsistent) == 1 ? "drawn" : "never drawn"
      }
      .code("RedrawAsync.swift", "for await parts"),
    ])
}

/// Draws once by chance, as the display asks for it, and once when told that something is dirty.
private func draw(
  _ mark: (Parts) -> Void, _ take: () -> Parts, _ isDirty: DispatchSemaphore
) -> String {
  mark(.title)
  let byChance = take()
  isDirty.wait()
  return byChance.union(take()).contains(.title) ? "drawn" : "never drawn"
}
