import Foundation
import Workbook

/// A chapter's text takes 800 to 2,400 words.
func wrongLength(of chapter: ChapterFolder) -> [String] {
  let count = chapter.text.wordCount
  if (800...2_400).contains(count) { return [] }
  return ["\(chapter.textPath) has \(count) words; write 800 to 2,400"]
}

/// A chapter's text names only files that the chapter has.
func unknownFiles(in chapter: ChapterFolder) -> [String] {
  let names = Set(chapter.allSwiftFiles.map(\.lastPathComponent))
  return chapter.text.codeSpans.compactMap { span in
    let name = span.text.split(separator: "/").last.map(String.init) ?? ""
    if !name.hasSuffix(".swift") || names.contains(name) { return nil }
    return
      "\(chapter.textPath):\(span.number): the chapter has no file \(span.text); name one that is there"
  }
}

/// A link leads to a file that is there, or out into the web.
func brokenLinks(in text: Markdown, path: String, from folder: URL) -> [String] {
  text.links.compactMap { link in
    if link.target.hasPrefix("https://") { return nil }
    let file = link.target.split(separator: "#", omittingEmptySubsequences: false)[0]
    if file.isEmpty
      || FileManager.default.fileExists(atPath: folder.appending(path: String(file)).path)
    {
      return nil
    }
    return
      "\(path):\(link.number): the link to \(link.target) leads nowhere; it is looked for from the text's folder on"
  }
}
