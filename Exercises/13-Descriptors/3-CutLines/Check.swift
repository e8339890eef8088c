import ExerciseChecking
import Testing

@testable import Answer

/// What the check uses.
private protocol LineReading: AsyncSequence, Sendable where Element == String {
  init(of bytes: Bytes, limit: Int)
}

extension Lines: LineReading {}

private func lines(of bytes: Bytes, limit: Int = 80) -> some LineReading {
  Lines(of: bytes, limit: limit)
}

/// The lines of pieces that have come before anybody reads.
private func lines(_ pieces: String..., limit: Int = 80) -> some LineReading {
  let bytes = Bytes()
  for piece in pieces { bytes.come(Array(piece.utf8)) }
  bytes.end()
  return lines(of: bytes, limit: limit)
}

/// The lines that one loop gets, in quotation marks, and how it ends.
///
/// - Parameter count: How many lines it takes before it is left.
@Sendable private func loop(
  _ lines: some LineReading, upTo count: Int = .max
) async -> [String] {
  var words: [String] = []
  do {
    for try await line in lines {
      // It shows a `\r`.
      words.append("“\(line.debugDescription.dropFirst().dropLast())”")
      if words.count == count { return words + ["left"] }
    }
    return words + ["end"]
  } catch is CancellationError {
    return words + ["cancelled"]
  } catch is LineTooLong {
    return words + ["too long"]
  } catch {
    return words + ["\(type(of: error))"]
  }
}

@Sendable private func told(_ words: [String]) -> String { words.joined(separator: " ") }

/// The lines that two loops get together, and how the second one ends.
@Sendable private func told(_ first: [String], _ second: [String]) -> String {
  // A loop that has got all lines may end before it is cancelled.
  guard ["cancelled", "end"].contains(first.last) else { return told(first + second) }
  return told(first.dropLast() + second)
}

private let some = Orders.upTo(classes: 400, preempted: 150, drawn: 80)

private func check(
  _ right: String, _ scenario: @escaping @Sendable () async throws -> String
) async {
  await everyOrder(gives: right, within: some, steps: 1_000, of: scenario)
}

@Test func `a line is whole, wherever its pieces are cut`() async {
  await check("“ab” “cd” end") { told(await loop(lines("ab\ncd\n"))) }
  await check("“ab” “cd” end") { told(await loop(lines("a", "b", "\nc", "d\n"))) }
  await check("“a\\r” “b” end") { told(await loop(lines("a\r\nb", "\n"))) }
}

@Test func `a character may be cut in its middle`() async {
  let text = "né€😀\n…\n"
  await check("“né€😀” “…” end") {
    let bytes = Bytes()
    for byte in text.utf8 { bytes.come([byte]) }
    bytes.end()
    return told(await loop(lines(of: bytes)))
  }
  await check("right wherever it is cut") {
    for cut in 1..<text.utf8.count {
      let bytes = Bytes()
      bytes.come(Array(text.utf8.prefix(cut)))
      bytes.come(Array(text.utf8.dropFirst(cut)))
      bytes.end()
      let words = told(await loop(lines(of: bytes)))
      guard words == "“né€😀” “…” end" else { return "\(words), cut after byte \(cut)" }
    }
    return "right wherever it is cut"
  }
}

@Test func `no line waits for the next piece`() async {
  await check("“ab” “cd” left “e” end") {
    let bytes = Bytes()
    let lines = lines(of: bytes)
    bytes.come(Array("ab\ncd\ne".utf8))
    let words = await loop(lines, upTo: 2)
    // Nothing has come since.
    bytes.end()
    return told(words + (await loop(lines)))
  }
}

@Test func `an empty line is a line`() async {
  await check("“” “” “a” “” “b” end") { told(await loop(lines("\n\na\n", "\nb\n"))) }
  await check("“” end") { told(await loop(lines("\n"))) }
}

@Test func `what has no end is the last line, unless it is empty, and then it ends`() async {
  await check("“a” “bc” end end") {
    let lines = lines("a\nb", "c")
    return told(await loop(lines) + loop(lines))
  }
  await check("“a” end end") {
    let lines = lines("a\n")
    return told(await loop(lines) + loop(lines))
  }
  await check("end end") {
    let lines = lines()
    return told(await loop(lines) + loop(lines))
  }
}

@Test func `a line over the limit throws as soon as so many bytes have come`() async {
  await check("“abc” “” too long too long") {
    let bytes = Bytes()
    let lines = lines(of: bytes, limit: 3)
    for piece in ["abc\n\nde", "fg"] { bytes.come(Array(piece.utf8)) }
    // No more comes, and no end.
    return told(await loop(lines) + loop(lines))
  }
  await check("“ab” too long too long") {
    let lines = lines("ab\nabcd\nef\n", limit: 3)
    return told(await loop(lines) + loop(lines))
  }
}

@Test func `the limit is one of bytes, of one line, and a line may be as long`() async {
  await check("too long") { told(await loop(lines("éé\n", limit: 3))) }
  await check("too long") { told(await loop(lines("a", "bc", "d", limit: 3))) }
  await check("“abc” “ab” “éa” “abc” end") {
    told(await loop(lines("abc\nab\néa\na", "bc", limit: 3)))
  }
}

@Test func `what a loop has read of a line when it is left is there for the next one`() async {
  await check("“ab” left “cd” left “ef” end") {
    let lines = lines("ab\ncd\ne", "f")
    return told(await loop(lines, upTo: 1) + loop(lines, upTo: 1) + loop(lines))
  }
}

@Test func `so is what a reader has read that is cancelled while it waits`() async {
  await check("cancelled “ab” “c” end") {
    let bytes = Bytes()
    let lines = lines(of: bytes)
    bytes.come(Array("a".utf8))
    // It waits for more before the next line is run.
    let first = Task.immediate(name: "first") { await loop(lines) }
    first.cancel()
    let words = await first.value
    bytes.come(Array("b\nc".utf8))
    bytes.end()
    return told(words + (await loop(lines)))
  }
}

@Test func `a piece that comes as its reader is cancelled is not lost`() async {
  await check("“ab” “c” end") {
    let bytes = Bytes()
    let lines = lines(of: bytes)
    let first = Task.immediate(name: "first") { await loop(lines) }
    bytes.come(Array("a".utf8))
    first.cancel()
    let words = await first.value
    bytes.come(Array("b\nc".utf8))
    bytes.end()
    return told(words, await loop(lines))
  }
}

@Test func `a reader that is cancelled while pieces come loses nothing, and nothing comes twice`()
  async
{
  await check("“ab” “” “c” end") {
    let bytes = Bytes()
    let lines = lines(of: bytes)
    let first = Task(name: "first") { await loop(lines) }
    let sender = Task(name: "sender") {
      bytes.come(Array("a".utf8))
      bytes.come(Array("b\n\nc".utf8))
      bytes.end()
    }
    first.cancel()
    let words = await first.value
    let rest = await loop(lines)
    await sender.value
    return told(words, rest)
  }
}
