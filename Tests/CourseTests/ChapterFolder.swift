import Foundation
import Workbook

/// A chapter as the rules see it: its folder, and what its module declares.
struct ChapterFolder {
  let folder: URL
  let chapter: Chapter
  let text: Markdown

  /// Reads the text of a chapter; a text that is missing is empty, which a rule complains about.
  init(_ folder: URL, _ chapter: Chapter) {
    let file = folder.appending(path: chapter.textPathInFolder)
    self.init(
      folder, chapter, text: Markdown((try? String(contentsOf: file, encoding: .utf8)) ?? ""))
  }

  init(_ folder: URL, _ chapter: Chapter, text: Markdown) {
    self.folder = folder
    self.chapter = chapter
    self.text = text
  }

  var textPath: String { chapter.textPathInFolder }

  /// The chapter's Swift files below a subfolder, by name.
  func swiftFiles(in subfolder: String) -> [URL] {
    Self.swiftFiles(below: folder.appending(path: subfolder))
  }

  /// All the Swift files of the chapter, each once.
  var allSwiftFiles: [URL] {
    ["Sources", "Refused", "Demo", "Tests"].flatMap(swiftFiles(in:))
      + links.filter { $0.pathExtension == "swift" }
  }

  /// What is in the folders of links.
  private var links: [URL] {
    ["Explored", "Watched"].flatMap { twin in
      (try? FileManager.default.contentsOfDirectory(
        at: folder.appending(path: twin), includingPropertiesForKeys: nil)) ?? []
    }
  }

  /// The Swift files in a folder and the folders in it, by name.
  static func swiftFiles(below folder: URL) -> [URL] {
    let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return (all?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
  }

  /// The chapter's files that are compiled a second time: those that the links in `Explored/` lead to.
  var twinFiles: [URL] {
    let links = try? FileManager.default.contentsOfDirectory(
      at: folder.appending(path: "Explored"), includingPropertiesForKeys: nil)
    return (links ?? []).map { $0.resolvingSymlinksInPath() }
      .flatMap { $0.pathExtension == "swift" ? [$0] : Self.swiftFiles(below: $0) }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
  }

  func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.appending(path: path).path)
  }
}

/// The folder of this package.
let packageFolder = URL(filePath: #filePath).deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent()
