import Foundation
import Workbook

extension Subject {
  static let movedToEachOther = Subject(
    "moved-to-each-other",
    asks: "Each of two addresses says that its picture has moved to the other. What is told?",
    right: .allowed("too many moves"),
    implementations: [
      .after(
        "a cache that asks itself", .deadlock("each of two tasks waits for the other's value")
      ) { stage in
        let cache = AsksItself.PictureCache { .moved(to: $0 == .a ? .b : .a) }
        stage.aboutToBlock("a wait for each other")
        return await told { try await cache.picture(at: .a) }
      }
      .code("PictureCacheAsksItself.swift", "try await picture(at: next)")
      .alwaysWrong
      .found(
        "a cycle of 2: task 1 waits for the value of task 1.1; task 1.1 waits for the value of task 1"
      ),
      .after("moves are counted in one load") { _ in
        let moves = Moves(most: 5) { .moved(to: $0 == .a ? .b : .a) }
        return await told { try await moves.load(.a) }
      }
      .code("MovesAsync.swift", "for _ in 0...most"),
    ])
}
