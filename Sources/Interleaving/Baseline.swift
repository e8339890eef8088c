import Foundation

/// What running a scenario costs without exploring it: the same executor always takes the first job.
package enum Baseline {
  /// Runs a scenario over and over on a thread of its own, each time in the order of arrival.
  ///
  /// - Parameters:
  ///   - times: How often, 1 or more.
  ///   - scenario: What to run.
  /// - Returns: How long one run takes.
  package static func duration<Outcome: Sendable>(
    times: Int, of scenario: @escaping @Sendable () async -> Outcome
  ) async -> Duration {
    SwiftRuntime.takeHold()
    return await withUnsafeContinuation { continuation in
      Thread.detachNewThread {
        let executor = ScenarioExecutor(Options())
        SwiftRuntime.setReceiver(executor)
        let began = ContinuousClock.now
        for _ in 0..<times {
          var search = ReplaySearch([])
          _ = executor.execute(&search) { _ = await scenario() }
        }
        let duration = (ContinuousClock.now - began) / times
        executor.finish()
        SwiftRuntime.setReceiver(nil)
        continuation.resume(returning: duration)
      }
    }
  }
}
