/// How a value that comes is merged with the one that waits.
struct MergingRule<Value: Sendable>: Sendable {
  /// Gives what waits from now on, or `nil` if there is nothing to tell.
  let merge: @Sendable (_ waiting: Value?, _ new: Value) -> Value?

  /// The newest value replaces the one that waits.
  static var newest: MergingRule { MergingRule { _, new in new } }
}

extension MergingRule where Value: AdditiveArithmetic {
  /// Values are added; there is nothing to tell of zero.
  static var sum: MergingRule {
    MergingRule { waiting, new in
      let sum = (waiting ?? .zero) + new
      return sum == .zero ? nil : sum
    }
  }
}

extension MergingRule where Value: SetAlgebra {
  /// Sets are united; there is nothing to tell of the empty set.
  static var union: MergingRule {
    MergingRule { waiting, new in
      let union = (waiting ?? []).union(new)
      return union.isEmpty ? nil : union
    }
  }
}
