/// What inotify says of a file. It does not say how many links there are, or whether the file grew.
struct FileNotices: OptionSet, Sendable {
  let rawValue: Int

  static let contents = FileNotices(rawValue: 1 << 0)
  /// The mode, the owner, the times, extended attributes or the number of links.
  static let attributes = FileNotices(rawValue: 1 << 1)
  static let moved = FileNotices(rawValue: 1 << 2)
  /// The queue was full, and what came then is lost.
  static let lost = FileNotices(rawValue: 1 << 3)
}

extension FileFacts {
  /// What has happened to the file since it was looked at before. A notice may come after what it is about was seen.
  ///
  /// - Parameters:
  ///   - linksSeen: The time of the last change when another number of links was seen last.
  ///   - wasRenamed: Whether its name is another one; only asked when notices were lost.
  func events(
    since before: FileFacts, told notices: FileNotices, linksSeen: Int? = nil,
    wasRenamed: @autoclosure () -> Bool
  ) -> FileEvents {
    let isLost = notices.contains(.lost)
    let isOtherSize = size != before.size && !isFolder
    var events: FileEvents = []
    if notices.contains(.contents) || isOtherSize || isLost && isModified(since: before) {
      events.insert(.written)
    }
    if isOtherSize, size > before.size { events.insert(.extended) }
    if links != before.links { events.insert(links == 0 ? .deleted : .link) }
    if notices.contains(.moved) || isLost && links > 0 && wasRenamed() { events.insert(.renamed) }
    if areAttributesChanged(since: before, told: notices, linksSeen: linksSeen) {
      events.insert(.attributes)
    }
    return events
  }

  private func areAttributesChanged(
    since before: FileFacts, told notices: FileNotices, linksSeen: Int?
  ) -> Bool {
    if mode != before.mode || owner != before.owner || group != before.group { return true }
    guard notices.contains(.attributes) else { return false }
    // A new number of links is told in the same way, perhaps late. Then only what can be seen counts.
    if links == before.links, changed != linksSeen { return true }
    return isModified(since: before) && !notices.contains(.contents)
  }

  private func isModified(since before: FileFacts) -> Bool { modified != before.modified }
}
