import Foundation
import Synchronization

/// Checks that were compiled: one serves all answers whose modules are the same, byte for byte.
///
/// A module says what an answer declares, and not what its functions do. So most wrong answers have that of the right one.
final class CompiledChecks: Sendable {
  private struct Key: Equatable {
    let check: Data
    let module: Data
  }

  /// So many are kept.
  private static let most = 16

  private let objects = Mutex<[(key: Key, object: Data)]>([])

  /// How many are kept.
  var count: Int { objects.withLock(\.count) }

  /// Puts a check's object file into a work folder, in which an answer has been compiled.
  ///
  /// - Parameters:
  ///   - work: The folder.
  ///   - compile: Compiles the check there.
  /// - Returns: How the compilation ended; success where none was needed.
  /// - Throws: An error of the file system, or if no process can be started.
  func check(
    in work: WorkFolder, compiledBy compile: ExerciseToolchain.Compilation
  ) async throws -> ChildProcess.Result {
    let key = try Key(
      check: Data(contentsOf: work.check), module: Data(contentsOf: work.module))
    if let object = objects.withLock({ $0.first { $0.key == key }?.object }) {
      try object.write(to: work.checkObject)
      return ChildProcess.Result(ending: .exited(0), output: "", errors: "")
    }
    let result = try await compile()
    if result.ending == .exited(0) {
      let object = try Data(contentsOf: work.checkObject)
      objects.withLock {
        $0.append((key, object))
        if $0.count > Self.most { $0.removeFirst() }
      }
    }
    return result
  }
}
