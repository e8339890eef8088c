import Foundation

/// What is explored and watched is what is taught: `Explored/` and `Watched/` hold links and nothing else.
func copiedTwins(of chapter: ChapterFolder) -> [String] {
  ["Explored", "Watched"].flatMap { twin in
    let folder = chapter.folder.appending(path: twin)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().compactMap { name -> String? in
      let path = folder.appending(path: name).path
      let isLink = (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
      return isLink
        ? nil
        : "\(twin)/\(name) is no link to what the chapter teaches; make it one: ln -s ../Sources/Pairs \(twin)/Pairs"
    }
  }
}
