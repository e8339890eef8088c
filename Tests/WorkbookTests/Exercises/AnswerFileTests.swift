import Foundation
import Testing

@testable import Workbook

/// Files with answers and the verdicts that they should get.
struct AnswerFileTests {
  @Test func `an answer begins with a line that names exercise, verdict and title`() throws {
    let entries = try entries(
      """

      //// sample/sum solved: it adds
      func sum() {}

      //// 99/1 wrong: it does not
      // nothing
      """)
    #expect(entries.map(\.exercise.id) == ["sample/sum", "sample/sum"])
    #expect(entries.map(\.title) == ["it adds", "it does not"])
    #expect(entries.map(\.line) == [2, 5])
    #expect(entries[0].text == "func sum() {}\n\n")
    #expect(entries[0].fits(.solved) && !entries[0].fits(.rejected))
    #expect(entries[1].fits(.rejected) && entries[1].fits(.stopped) && !entries[1].fits(.solved))
    #expect(!entries[1].fits(.refused), "it may be the check that the compiler does not accept")
  }

  @Test(arguments: [
    ("func sum() {}", ":1: an answer begins with a line"),
    ("//// sample/sum right: a", ":1: after //// come an exercise"),
    ("//// sample/sum solved", ":1: after //// come an exercise"),
    ("//// sample/sun solved: a", "did you mean “sample/sum”?"),
  ])
  func `what cannot be read is named`(_ text: String, _ message: String) throws {
    let error = #expect(throws: (any Error).self) { try entries(text) }
    #expect("\(try #require(error))".contains(message))
  }

  private func entries(_ text: String) throws -> [AnswerFile.Entry] {
    let sample = try SampleExercise()
    try sample.write(text, to: "answers")
    return try AnswerFile(sample.folder.appending(path: "answers"), in: sample.exercises).entries
  }
}

/// The list as a screen to move in, and the keys that move.
struct ExerciseMenuTests {
  @Test func `keys move the mark round, choose, and leave`() {
    var menu = ExerciseMenu(count: 3, selection: 0)
    #expect(menu.press(.up) == .moved && menu.selection == 2)
    #expect(menu.press(.character("j")) == .moved && menu.selection == 0)
    #expect(menu.press(.down) == .moved && menu.selection == 1)
    #expect(menu.press(.character("x")) == .nothing && menu.selection == 1)
    #expect(menu.press(.enter) == .chosen(1))
    #expect(menu.press(.escape) == .left)
    #expect(menu.press(.end) == .left)
  }

  @Test func `the marked row is always among those that are shown`() {
    for height in 1...12 {
      for selection in 0..<10 {
        let shown = ExerciseMenu(count: 10, selection: selection).shown(in: height)
        #expect(shown.contains(selection))
        #expect(shown.count == min(height, 10))
      }
    }
  }

  @Test func `bytes of a terminal are keys`() {
    var reader = KeyReader()
    #expect(
      reader.keys(Array("h\u{1B}[A\u{1B}[B\n\u{1B}é\u{1B}[5~q".utf8))
        == [
          .character("h"), .up, .down, .enter, .escape, .character("é"), .escape, .character("q"),
        ])
  }
}
