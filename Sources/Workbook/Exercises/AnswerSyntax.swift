import Foundation

/// How the compiler reads an answer: what it imports, and the words that it uses.
///
/// It is the compiler's own tree, before types are looked at, so a word in a comment or a string is none. The compiler
/// writes a node a line; its JSON would be easier to read, but in Swift 6.3.1 it is broken after a function type.
struct AnswerSyntax {
  /// The modules that it imports, with the line of each.
  private(set) var imports: [(module: String, line: Int)] = []
  /// The names that it uses, and `@unchecked` and `nonisolated(unsafe)`, with the line where each comes first, as far as
  /// the tree says.
  private(set) var words: [String: Int] = [:]

  /// - Parameter tree: What `swiftc -frontend -dump-parse` writes.
  /// - Throws: ``ExerciseError`` if it is no such tree.
  init(_ tree: String) throws {
    guard tree.hasPrefix("(source_file ") else {
      throw ExerciseError(
        "the compiler's syntax tree cannot be read; is this the toolchain that the workbook was built with?"
      )
    }
    let range = /range=\[[^\]:]*:(\d+):/
    let module = /^\(import_decl .* module="([^".]+)/
    let unchecked = /^\((class|struct|enum|extension)_decl .* inherits="[^"]*@unchecked/
    let unsafe = /^\(nonisolated_attr .* unsafe\)/
    let name = /^\(unresolved_(dot|decl_ref|member)_expr .*?(field|name)="(\w+::)?([^"(]+)/
    var line = 1
    for node in tree.split(separator: "\n") {
      let node = node.drop { $0 == " " }
      if let place = node.firstMatch(of: range) { line = Int(place.1) ?? line }
      if let found = node.firstMatch(of: module) {
        imports.append((String(found.1), line))
      } else if node.contains(unchecked) {
        note("@unchecked", line)
      } else if node.contains(unsafe) {
        note("nonisolated(unsafe)", line)
      } else if let found = node.firstMatch(of: name) {
        note(String(found.4), line)
      }
    }
  }

  private mutating func note(_ word: String, _ line: Int) {
    words[word] = min(words[word] ?? .max, line)
  }
}
