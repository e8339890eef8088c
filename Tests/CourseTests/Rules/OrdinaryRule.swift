import Foundation
import Workbook

/// What is taught is ordinary Swift: nothing in it is there for what plays, watches or explores it.
func bentCode(in chapter: ChapterFolder) -> [String] {
  let signs: [(pattern: Regex<Substring>, advice: String)] = [
    (/(?m)^[ \t]*#if (?!canImport).*/, "leave conditions other than canImport out"),
    (
      /\b(?:public|package|open (?:class|var|func))\b/,
      "leave the access level out: nobody imports a pair"
    ),
    (
      /\b(?:Foundation|Dispatch|Synchronization|ControlledDispatch)\.(?=[A-Z])/,
      "name the type alone: with its module it is the real one where it is explored, too"
    ),
    (/\bShared\b/, "use a plain variable: its uses are seen as they are"),
    (
      /\b(?:pause(?=:)|aboutToWait|EXPLORED|isExplored|Stage|Pause|Encounter)\b/,
      "leave out what is there for a tool"
    ),
    (
      /<[^<>]*: *(?:Clock|NSLocking|Lockable|\w*Executor)\b/,
      "name the type, or take an “any”: a parameter of its own lets a tool in"
    ),
  ]
  return chapter.swiftFiles(in: "Sources/Pairs").flatMap { file -> [String] in
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return signs.flatMap { sign in
      text.matches(of: sign.pattern).map { match in
        let line = text[..<match.range.lowerBound].count { $0 == "\n" } + 1
        let word = match.0.trimmingCharacters(in: .whitespacesAndNewlines)
        return "\(file.lastPathComponent):\(line): “\(word)” is not ordinary code: \(sign.advice)"
      }
    }
  }
}

/// The module that is explored uses nothing real that the explorer has a stand-in for, or does not know.
///
/// - Parameter objects: The folder in which the compiler left the module's object files.
func realThings(in chapter: ChapterFolder, objects: URL) async throws -> [String] {
  let module = chapter.chapter.name + "Explored"
  // The aliases themselves leave nothing behind.
  let files = chapter.twinFiles.filter { $0.lastPathComponent != "Explored.swift" }.map {
    objects.appending(path: "\(module).build/\($0.lastPathComponent).o").path
  }
  let result = try await ChildProcess.run("/usr/bin/env", ["nm", "--undefined-only"] + files)
  guard result.ending == .exited(0) else { return ["nm cannot read \(module): \(result.errors)"] }
  let symbols = Set(result.output.matches(of: /(?m)^ +[Uw] (\S+)$/).map { String($0.1) })
  // The module's own, the standard library's and the runtime's, and what drives it; and what nobody can wait for.
  let fine =
    /\$s[sSBxy].*|\$s[0-9]+(?:Element|Iterator|Index)S[lT].*|\$s[0-9]+(?:Element|AsyncIterator|Failure)Sc[iI]Tl|__divti3|\$s8RawValueSY.*|\$s7Elements10SetAlgebraPTl|\$s19ArrayLiteralElements013ExpressibleByaB0PTl|\$s10Foundation8NSObjectC.*|\$s7Instants5Clock.*|\$s(?:8Workbook|12Interleaving|18ControlledDispatch).*|_?swift_.*|_swiftEmptyArrayStorage|__tsan_.*|\$s15Synchronization8WordPair.*|\$s20FoundationEssentials(?:3URL|4Data|10CocoaError|11JSONDecoder|11ProcessInfo).*|\$s20FoundationNetworking10URLRequestV.*|_Unwind_Resume|__gcc_personality_v0|mem(?:cpy|set|move)|malloc|free|strerror|strdup|__stack_chk_fail|getp?pid|sig(?:empty|fill)set|posix_spawn(?:attr|_file_actions)_\w+|linux_spawn_close_from|\$s5Glibc(?:7(?:SIG_(?:DFL|IGN)|S_I)|6S_IFMT).*|\$s8Dispatch0A4DataV.*/
  return symbols.filter {
    !$0.hasPrefix("$s\(module.count)\(module)") && $0.wholeMatch(of: fine) == nil
  }.sorted().map {
    "\(module) uses \($0) for real, where the explorer does not see it: give it a stand-in, or make it "
      + "unavailable in Chapters/Explored.swift"
  }
}
