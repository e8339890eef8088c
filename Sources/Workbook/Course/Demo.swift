/// A question about concurrent code, answered by running the old code and its port.
public struct Demo: Sendable {
  /// The demo's name within its chapter, in kebab case.
  public let name: String
  /// What the reader should be able to answer after the demo.
  public let question: String
  /// The pieces of code that the demo runs, in the order in which they are shown.
  public let sides: [Side]

  /// Creates a demo.
  ///
  /// - Parameters:
  ///   - name: The demo's name within its chapter, in kebab case.
  ///   - question: What the reader should be able to answer after it.
  ///   - sides: The pieces of code that it runs.
  public init(_ name: String, asks question: String, sides: [Side]) {
    self.name = name
    self.question = question
    self.sides = sides
  }

  /// Runs every side, one after the other.
  ///
  /// - Returns: What each side did, and whether its claim held.
  public func run() async -> DemoResult {
    let clock = ContinuousClock()
    let start = clock.now
    var results: [SideResult] = []
    for side in sides {
      results.append(await side.run())
    }
    return DemoResult(demo: self, sides: results, duration: clock.now - start)
  }
}

/// What a run of a demo showed.
public struct DemoResult: Sendable {
  /// The demo that ran.
  public let demo: Demo
  /// What each side did, in the demo's order.
  public let sides: [SideResult]
  /// How long the run took.
  public let duration: Duration

  /// Whether the claim of every side held.
  public var isVerified: Bool { sides.allSatisfy(\.holds) }
}
