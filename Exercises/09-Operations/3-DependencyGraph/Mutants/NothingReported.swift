// Looks right: a step begins when all that it depends on have given a value, so nothing begins behind a failure. Wrong:
// nothing is said of these steps either.

// region step
extension Step {
  func isReady(_ outcomes: [String: Outcome<Value>]) -> Bool {
    values(in: outcomes) != nil
  }

  /// The values that it depends on; nil if one of them is not there.
  func values(in outcomes: [String: Outcome<Value>]) -> [String: Value]? {
    var values: [String: Value] = [:]
    for name in dependencies {
      guard case .value(let value) = outcomes[name] else { return nil }
      values[name] = value
    }
    return values
  }
}
// endregion
