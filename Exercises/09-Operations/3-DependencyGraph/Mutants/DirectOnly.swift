// Looks right: when a step fails, those that depend on it are reported and never begin. Wrong: those that depend on these
// find no failure, and begin.

// region step
extension Step {
  func isReady(_ outcomes: [String: Outcome<Value>]) -> Bool {
    dependencies.allSatisfy { outcomes[$0] != nil }
  }

  /// The values that it depends on; nil if one of them is not there.
  func values(in outcomes: [String: Outcome<Value>]) -> [String: Value]? {
    var values: [String: Value] = [:]
    for name in dependencies {
      switch outcomes[name] {
      case .value(let value): values[name] = value
      case .failed: return nil
      case .notBegun, nil: break
      }
    }
    return values
  }
}
// endregion
