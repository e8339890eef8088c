import Foundation
import Workbook

extension Demo {
  static let savedHowFar = Demo(
    "saved-how-far",
    asks: "The file has 4 users. 996 more are inserted and saved. How many has the file then?",
    sides: [
      .before(
        "save of the child",
        .surprising("4 in the file", "a save goes one level up: the root has 996 that it may lose"),
        .forbidden("1000 in the file")
      ) { _ in try await stored { _ = try savedChild(over: $0) } }
      .code("Context+Saving.swift", "parent.performAndWait { parent.take(edits) }"),
      .before(
        "save of each level", .allowed("1000 in the file"), .forbidden("4 in the file")
      ) { _ in
        try await stored { file in
          let child = try savedChild(over: file)
          if let error = await result(of: { child.saveToStore(then: $0) }) { throw error }
        }
      }
      .code("ImportQueue.swift", "parent.saveToStore(then: completion)"),
      .after(
        "update of the actor", .allowed("1000 in the file"), .forbidden("4 in the file")
      ) { _ in
        try await stored { file in
          let store = Store(try file.open())
          try await store.update { draft in
            for number in 1...996 { draft.insert(User(name: "user \(number)")) }
          }
        }
      }
      .code("StoreActor.swift", "let result = try body(&draft)"),
    ])
}

/// Looks at the file in the end, as a process does that begins then.
private func stored(_ body: (StoreFile) async throws -> Void) async throws -> String {
  try await inFile { file in
    try await body(file)
    return "\(try file.load().count) in the file"
  }
}

/// Gives a body a file of 4 users.
func inFile<Result>(_ body: (StoreFile) async throws -> Result) async throws -> Result {
  let folder = FileManager.default.temporaryDirectory.appending(path: "users-\(UUID())")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
  defer { try? FileManager.default.removeItem(at: folder) }
  let file = StoreFile(in: folder)
  try file.save(.first(4))
  return try await body(file)
}

/// A child with 996 users more, which are saved to its parent, the root.
private func savedChild(over file: StoreFile) throws -> Context {
  let root = Context("root", over: Coordinator(try file.open()))
  let child = Context("child", parent: root)
  try child.performAndWait {
    for number in 1...996 { child.insert(User(name: "user \(number)")) }
    try child.save()
  }
  return child
}

extension [UserID: User] {
  /// The users with the first numbers.
  static func first(_ count: Int) -> [UserID: User] {
    Dictionary(
      uniqueKeysWithValues: (1...count).map { (UserID(number: $0), User(name: "user \($0)")) })
  }
}
