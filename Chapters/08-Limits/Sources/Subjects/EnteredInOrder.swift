import Workbook

extension Subject {
  static let enteredInOrder = Subject(
    "entered-in-order",
    asks: "Two files with the same photo are imported beside each other. Which one is entered?",
    right: .allowed("the first"),
    implementations: [
      .before("one thread") { _ in entered(Plain.Import().album(of: files)) }
        .code("ImportPlain.swift", "for file in files"),
      .before("concurrentPerform, then in order") { _ in
        entered(Performed.Import().album(of: files))
      }
      .code("ImportConcurrentPerform.swift", "for preview in previews.all"),
      .before("concurrent queue, then a serial one") { _ in
        await entered(
          result { (completion: @escaping @Sendable (Album) -> Void) in
            Queued.Import(width: 2).start(files, then: completion)
          })
      }
      .code("ImportQueue.swift", "while let next"),
      .after(
        "child tasks, entered as they come",
        .surprising("the second", "it may be ready first"), .allowed("the first", "by chance")
      ) { _ in entered(await AsTheyCome.Import().album(of: files)) }
      .code("ImportAsTheyCome.swift", "for await preview in group")
      .notPlayed("which one is ready first is up to chance"),
      .after("bounded group, in order") { _ in
        entered(try await TaskGrouped.Import(width: 2).album(of: files))
      }
      .code("ForEachInOrder.swift", "while let value"),
      .after("bounded group, own counts") { _ in
        entered(try await OwnCounts.Import(width: 2).album(of: files))
      }
      .code("ImportOwnCountsTaskGroup.swift", "var light = Light()"),
    ])
}

private let files = ["a", "b"].map { name in
  PhotoFile(name: name, bytes: Photo(width: 1, height: 1, pixels: [10, 20, 30]).pixmap)
}

private func entered(_ album: Album) -> String {
  switch album.entries {
  case ["1 a", "b: imported before"]: "the first"
  case ["1 b", "a: imported before"]: "the second"
  default: "\(album.entries)"
  }
}
