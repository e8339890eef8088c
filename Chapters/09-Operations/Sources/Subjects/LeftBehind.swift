import Foundation
import Workbook

extension Subject {
  static let leftBehind = Subject(
    "left-behind",
    asks: "An export is cancelled while it runs. How much memory does it still hold?",
    right: .allowed("0 bytes"),
    implementations: [
      .before(
        "gives back at the end",
        .surprising("3 bytes", "a check for cancellation leaves before the end"),
        .allowed("0 bytes", "it was cancelled at another time").onlyExplored
      ) { stage in
        let (server, budget, export) = (Server(), Budget(), Slot())
        export.operation = LeavingBehind.ExportOperation(
          .harbour, within: budget, render: { rendered($0, export, stage) },
          send: server.send
        ) { _ in }
        return held(of: budget, cancelling: export, stage)
      }
      .code("ExportLeavingBehind.swift", "let rendition = render(photo)"),
      .before("gives back in a defer") { stage in
        let (server, budget, export) = (Server(), Budget(), Slot())
        export.operation = Waiting.ExportOperation(
          .harbour, within: budget, render: { rendered($0, export, stage) },
          send: server.send
        ) { _ in }
        return held(of: budget, cancelling: export, stage)
      }
      .code("ExportOperation.swift", "defer { budget"),
      .after("async function with a defer") { _ in
        let (server, budget) = (Server(), Budget())
        let export = Awaited.Export(budget: budget, render: { $0 }, send: server.send)
        let task = Task { try await export.export(.harbour) }
        task.cancel()
        _ = await task.result
        return "\(budget.total) bytes"
      }
      .code("ExportAsync.swift", "defer { budget"),
    ])
}

// Sendable because it is set once, before anybody else has it.
private final class Slot: @unchecked Sendable {
  var operation: Operation?
}

/// Played, the export is cancelled while it renders.
private func rendered(_ photo: Photo, _ export: Slot, _ stage: Stage) -> Photo {
  if !stage.isExplored { export.operation?.cancel() }
  return photo
}

private func held(of budget: Budget, cancelling export: Slot, _ stage: Stage) -> String {
  let queue = OperationQueue()
  queue.addOperation(export.operation!)
  if stage.isExplored { export.operation?.cancel() }
  queue.waitUntilAllOperationsAreFinished()
  export.operation = nil
  return "\(budget.total) bytes"
}
