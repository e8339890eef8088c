#if os(Linux)
  import Foundation
  import Testing
  import Workbook

  /// How many descriptors the process has open.
  public func countOfDescriptors() -> Int { count(in: "/proc/self/fd") }

  /// How many threads the process has.
  public func countOfThreads() -> Int { count(in: "/proc/self/task") }

  private func count(in folder: String) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? -1
  }

  /// Takes all descriptors but some, of a process that may have 256 from then on, and those that others close within a
  /// tenth of a second.
  ///
  /// To be called in a process of its own.
  ///
  /// - Parameter free: How many are left; 0 or more.
  /// - Returns: Those that were taken, to be closed.
  public func takeDescriptors(leaving free: Int) -> [Int32] {
    ResourceLimit.descriptors.set(to: 256)
    var taken: [Int32] = []
    // Dispatch opens a file of /proc now and then, and looks whether its workers run. That number is free a little later.
    var end = ContinuousClock.now + .milliseconds(100)
    while ContinuousClock.now < end {
      while case let descriptor = fcntl(0, F_DUPFD_CLOEXEC, 0), descriptor != -1 {
        taken.append(descriptor)
        end = .now + .milliseconds(100)
      }
      usleep(1_000)
    }
    for descriptor in taken.suffix(free) { close(descriptor) }
    return taken.dropLast(free)
  }

  /// Expects that rounds leave no descriptor and no thread behind.
  ///
  /// To be called in a process of its own: both belong to the whole process. Dispatch begins more workers on a busy
  /// machine, and ends those that have had no work for some seconds; it has a minute for that. Where it has ended some
  /// that were counted before the rounds, they are made again.
  ///
  /// - Parameters:
  ///   - rounds: How many; more than the bound, so that one left a round is found.
  ///   - first: How many go before, which begin the threads that stay.
  ///   - bound: By less than this both counts may differ.
  ///   - location: Where the expectation is written.
  ///   - round: What uses descriptors and threads; when it returns, all is over.
  public func expectNothingLeft(
    after rounds: Int, behindFirst first: Int, fewerThan bound: Int,
    sourceLocation location: SourceLocation = #_sourceLocation, _ round: () async throws -> Void
  ) async rethrows {
    for _ in 0..<first { try await round() }
    var before: (Int, Int)
    var after = (countOfDescriptors(), countOfThreads())
    var repetitions = 0
    repeat {
      before = after
      for _ in 0..<rounds { try await round() }
      after = (countOfDescriptors(), countOfThreads())
      let end = ContinuousClock.now + .seconds(60)
      while after.1 - before.1 >= bound, ContinuousClock.now < end {
        usleep(100_000)
        after = (countOfDescriptors(), countOfThreads())
      }
      repetitions += 1
    } while before.1 - after.1 >= bound && repetitions < 5
    let told: Comment = "\(before) descriptors and threads, then \(after)"
    #expect(abs(after.0 - before.0) < bound, told, sourceLocation: location)
    #expect(abs(after.1 - before.1) < bound, told, sourceLocation: location)
  }
#endif
