extension TaskGrouped {
  /// Pieces of work that depend on each other. Each begins when all that it needs is done.
  struct Graph: Sendable {
    typealias Work = @Sendable () async throws -> Void

    private var pieces: [(name: String, needs: Set<String>)] = []
    private var work: [String: Work] = [:]

    /// - Parameter needs: What has to be done before it begins, in whatever order it is added.
    mutating func add(_ name: String, after needs: Set<String> = [], _ work: @escaping Work) {
      pieces.append((name, needs))
      self.work[name] = work
    }

    /// Runs all of it, and returns when it has ended; what needs a piece that failed does not begin. When the calling
    /// task is cancelled, so is what is under way, and nothing more begins.
    ///
    /// - Parameter width: How many pieces run at once at most, 1 or more.
    /// - Returns: How each piece has ended.
    /// - Throws: ``GraphError``, before anything has begun.
    func run(width: Int) async throws -> [String: GraphEnding] {
      precondition(width > 0, "nothing would ever begin")
      var plan = try GraphPlan(pieces)
      return await withTaskGroup(of: (name: String, error: (any Error)?).self) { group in
        var running = 0
        while true {
          while running < width, !Task.isCancelled, let name = plan.begin() {
            running += 1
            group.addTask { [work = work[name]!] in
              do { try await work() } catch { return (name, error) }
              return (name, nil)
            }
          }
          guard let (name, error) = await group.next() else { break }
          running -= 1
          plan.end(name, throwing: error)
        }
        plan.stop()
        return plan.endings
      }
    }
  }
}
