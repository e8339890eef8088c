import Synchronization
import Workbook

extension Subject {
  static let ownOperationQueue = Subject(
    "own-operation-queue",
    asks: "A film's operation puts its part on its own queue, one wide, and waits. What happens?",
    right: .allowed("1 part"), .forbidden("0 parts"),
    implementations: [
      .before("waits for its part", .deadlock("the part needs the place that the film has")) {
        stage in
        let export = Waiting.Export(width: 1)
        stage.aboutToBlock("part.waitUntilFinished() on its own queue")
        export.export(films: 1, parts: 1) {}
        export.waitForAll()
        return "1 part"
      }
      .code("ExportWaitingForParts.swift", "let parts =")
      .alwaysWrong
      .watched("deadlock, confirmed: 2 operations", "before the film blocks")
      .found(
        "a cycle of 2: BlockOperation waits for the end of BlockOperation 2, held by "
          + "BlockOperation 2; BlockOperation 2 waits for the turn of BlockOperation 2, held by "
          + "BlockOperation"),
      .before("its end depends on its part") { _ in
        let (export, done) = (Depending.Export(width: 1), Done())
        export.export(films: 1, parts: 1) { done.add() }
        export.waitForAll()
        return done.text
      }
      .code("ExportOperation.swift", "let film ="),
      .after("task group") { _ in
        let done = Done()
        await Awaited.Export().export(films: 1, parts: 1) { done.add() }
        return done.text
      }
      .code("ExportTaskGroup.swift", "{ film in"),
    ])
}

private final class Done: Sendable {
  private let count = Atomic(0)

  func add() { count.add(1, ordering: .sequentiallyConsistent) }

  var text: String { count.load(ordering: .sequentiallyConsistent) == 1 ? "1 part" : "0 parts" }
}
