/// What has changed in a document since its window was last drawn: several kinds in one value, each merged in its way.
struct DocumentChanges: Equatable, Sendable {
  var bytes: UInt = 0
  var parts: Parts = []
  var reading: UInt?
}

extension MergingRule<DocumentChanges> {
  /// Bytes are added, parts are united, and the newest reading stays.
  static var changes: MergingRule {
    MergingRule { waiting, new in
      var merged = waiting ?? DocumentChanges()
      merged.bytes += new.bytes
      merged.parts.formUnion(new.parts)
      merged.reading = new.reading ?? merged.reading
      return merged == DocumentChanges() ? nil : merged
    }
  }
}
