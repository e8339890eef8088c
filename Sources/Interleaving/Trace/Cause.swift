extension Recorder {
  /// What was changed after a strand had looked at it and before it acted on that; nil if nothing was.
  ///
  /// Shared variables tell it exactly: read by one strand, changed by another, written by the first. Of an
  /// actor's properties only their values before and after each step are known. A read that the strand has
  /// repeated since, as a check before `-=`, is blamed last.
  func findCause() -> Cause? {
    staleUse(ofReads: 1) ?? changedActor { $0.before != $0.after } ?? changedActor { _ in true }
      ?? staleUse(ofReads: .max)
  }

  /// - Parameter count: How many of the reads before a write to look at, from the last one back to the
  ///   strand's own last write.
  private func staleUse(ofReads count: Int) -> Cause? {
    for (index, write) in uses.enumerated() where write.kind != .read {
      let mine = uses[..<index].filter { $0.strand == write.strand && $0.key == write.key }
      let reads = mine.reversed().prefix { $0.kind == .read }.prefix(count)
      for read in reads where read.step < write.step {
        let between = uses[..<index].last {
          $0.key == write.key && $0.strand != write.strand && $0.kind != .read
            && $0.step > read.step
        }
        guard let between else { continue }
        let (name, other) = (names[write.strand], names[between.strand])
        return Cause(
          sentence:
            "\(name) read \(read.variable) = \(read.value); \(other) made it \(between.value); "
            + "then \(name) wrote \(write.value)",
          marks: [read, write].map { .init(step: $0.step, note: $0.note) })
      }
    }
    return nil
  }

  private func changedActor(where isSuspect: (Visit) -> Bool) -> Cause? {
    for (index, back) in visits.enumerated() where isSuspect(back) {
      guard
        let left = visits[..<index].last(where: {
          $0.strand == back.strand && $0.number == back.number
        })
      else { continue }
      for (property, value) in back.before.sorted(by: { $0.key < $1.key })
      where left.after[property] != value {
        let between = visits[..<index].last {
          $0.number == back.number && $0.step > left.step && $0.after[property] == value
            && $0.before[property] != value
        }
        guard let between, between.strand != back.strand else { continue }
        let (name, other) = (names[back.strand], names[between.strand])
        let seen = left.after[property] ?? "–"
        var marks = [Cause.Mark(step: left.step, note: "leaves \(property) = \(seen)")]
        if let change = back.change(of: property) {
          marks.append(.init(step: back.step, note: change))
        }
        return Cause(
          sentence: "\(name) left \(back.actor) with \(property) = \(seen); "
            + "before it came back, \(other) had made it \(value)",
          marks: marks)
      }
    }
    return nil
  }
}
