import Foundation
import Testing
import Workbook

@testable import WorkbookCLI

/// Every chapter keeps the rules; `RuleTests` shows that each rule can fail.
@Suite struct CourseTests {
  @Test(arguments: course.map(\.name))
  func `the chapter keeps the rules`(_ name: String) async throws {
    let chapter = try ChapterFolder.named(name)
    expectNone(missingParts(of: chapter))
    expectNone(brokenPairs(of: chapter))
    expectNone(unfinishedParts(of: chapter))
    expectNone(repeatedWords(in: chapter))
    expectNone(foreignImports(in: chapter))
    expectNone(copiedTwins(of: chapter))
    expectNone(bentCode(in: chapter))
    expectNone(inventedCode(in: chapter))
    expectNone(unknownDemos(in: chapter.text, path: chapter.textPath, course: course))
    expectNone(untoldDemos(of: chapter))
    expectNone(wrongLength(of: chapter))
    expectNone(brokenShape(of: chapter))
    expectNone(unlinkedFiles(in: chapter))
    expectNone(sidesWithoutCode(of: chapter))
    expectNone(unknownFiles(in: chapter))
    let textFolder = chapter.folder.appending(path: chapter.textPath).deletingLastPathComponent()
    expectNone(brokenLinks(in: chapter.text, path: chapter.textPath, from: textFolder))
  }

  @Test(arguments: course.map(\.name))
  func `what Swift must refuse is refused`(_ name: String) async throws {
    expectNone(try await acceptedCode(of: ChapterFolder.named(name)))
  }

  @Test(arguments: course.filter { !$0.subjects.isEmpty }.map(\.name))
  func `what is explored uses nothing for real`(_ name: String) async throws {
    let program = URL(filePath: try ChildProcess.product("workbook"))
    expectNone(
      try await realThings(
        in: ChapterFolder.named(name), objects: program.deletingLastPathComponent()))
  }

  @Test(
    .enabled(if: !ThreadSanitizer.isActive, "with the sanitizer the demos print its verdict"),
    arguments: pages + course.map(\.textPath))
  func `what is made from the code is what the code gives now`(_ path: String) async throws {
    let text = Markdown(
      try String(contentsOf: packageFolder.appending(path: path), encoding: .utf8))
    let folder = packageFolder.appending(path: path).deletingLastPathComponent()
    expectNone(try await staleParts(of: text, path: path, from: folder, course: course))
  }

  @Test(.enabled(if: !ThreadSanitizer.isActive), arguments: course.map(\.name))
  func `the appendix says what the code declares and gives`(_ name: String) async throws {
    expectNone(await staleAppendix(of: try ChapterFolder.named(name)))
  }

  @Test(arguments: pages)
  func `the pages around the chapters name what is there`(_ path: String) throws {
    let file = packageFolder.appending(path: path)
    let text = Markdown(try String(contentsOf: file, encoding: .utf8))
    expectNone(unknownDemos(in: text, path: path, course: course))
    expectNone(brokenLinks(in: text, path: path, from: file.deletingLastPathComponent()))
  }

  @Test func `each block of the primer is accepted, or refused as it says`() async throws {
    let path = "Chapters/Primer.md"
    let text = try String(contentsOf: packageFolder.appending(path: path), encoding: .utf8)
    expectNone(try await wrongBlocks(in: Markdown(text), path: path))
  }

  @Test func `the folders of Chapters are the chapters of the course, in order`() throws {
    let folders = try FileManager.default.contentsOfDirectory(
      atPath: packageFolder.appending(path: "Chapters").path)
    #expect(folders.filter { !$0.contains(".") }.sorted() == course.map(\.folderName))
  }

  static let pages = CourseTexts.pages
}

/// Records each complaint as an issue of its own.
private func expectNone(
  _ complaints: [String], sourceLocation: SourceLocation = #_sourceLocation
) {
  for complaint in complaints {
    Issue.record("\(complaint)", sourceLocation: sourceLocation)
  }
}

extension ChapterFolder {
  static func named(_ name: String) throws -> ChapterFolder {
    let chapter = try #require(course.first { $0.name == name })
    return ChapterFolder(packageFolder.appending(path: "Chapters/\(chapter.folderName)"), chapter)
  }
}
