import Foundation

/// A file that is compiled twice imports nothing, or begins with the one header that keeps stand-ins apart
/// from what they stand for:
///
///     #if EXPLORED
///       import ControlledDispatch
///     #else
///       import Dispatch
///     #endif
///
/// Beside the stand-ins a value type that has none may come by a scoped import, such as
/// `import struct Foundation.Data`.
func mixedTwins(of chapter: ChapterFolder) -> [String] {
  if !chapter.chapter.subjects.isEmpty { return [] }
  let header =
    /#if EXPLORED\n  import ControlledDispatch\n(?<scoped>(?:  import (?:struct|enum) \w+\.\w+\n)*)#else\n(?:  import (?:Dispatch|Foundation|Interleaving|Synchronization|(?:struct|enum) \w+\.\w+)\n)+#endif\n/
  let standIns = namesOfStandIns()
  return chapter.twinFiles.flatMap { file -> [String] in
    let name = file.lastPathComponent
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    let match = text.prefixMatch(of: header)
    if !importedModules(in: text.dropFirst(match?.0.count ?? 0)).isEmpty {
      return [
        "\(name) is compiled twice, so it imports nothing, or begins with `#if EXPLORED`, "
          + "`import ControlledDispatch`, `#else`, what that stands for, `#endif`, and that is all"
      ]
    }
    return (match?.scoped ?? "").matches(of: /\.(\w+)/).map { String($0.1) }
      .filter { standIns.contains($0) }
      .map { "\(name) imports \($0) beside its stand-in in ControlledDispatch" }
  }
}

/// What is explored is what is taught: `Explored/` holds links and nothing else; `Watched/` holds links, and
/// beside them the names that stand for others, and who looks on.
func copiedTwins(of chapter: ChapterFolder) -> [String] {
  [("Explored", []), ("Watched", ["StandIns.swift", "Watch.swift"])].flatMap { twin, own in
    let folder = chapter.folder.appending(path: twin)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().filter { !own.contains($0) }.compactMap { name -> String? in
      let path = folder.appending(path: name).path
      let isLink = (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
      return isLink ? nil : "\(twin)/\(name) is no link to what the chapter teaches"
    }
  }
}

private func namesOfStandIns() -> Set<String> {
  let sources = ChapterFolder.swiftFiles(
    below: packageFolder.appending(path: "Sources/ControlledDispatch"))
  return sources.reduce(into: []) { names, file in
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    let types = /(?:public|open) (?:final )?(?:struct|enum|class|protocol) (\w+)/
    names.formUnion(text.matches(of: types).map { String($0.1) })
  }
}
