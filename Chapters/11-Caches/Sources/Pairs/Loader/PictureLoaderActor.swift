import Foundation

/// Loads pictures: from memory, or by one flight for all that ask.
actor PictureLoader {
  private typealias Continuation = CheckedContinuation<Picture, any Error>

  // Memory and table belong to one actor, because what lands goes from one to the other in one step.
  private var memory: LRUCache<URL, Picture>
  private var flights: Flights<(request: PictureRequest, continuation: Continuation)>
  private var tasks: [Int: Task<Void, Never>] = [:]
  private var lastID = 0
  private let load: AsyncLoad

  /// - Parameters:
  ///   - width: How many pictures are loaded at a time.
  ///   - memoryLimit: How many bytes of pictures are kept.
  init(width: Int, memoryLimit: Int, load: @escaping AsyncLoad) {
    memory = LRUCache(limit: memoryLimit)
    flights = Flights(width: width)
    self.load = load
  }

  /// How many pictures wait for their load, or are loaded.
  var flightCount: Int { flights.count }

  /// - Throws: What the load throws; `CancellationError` if the task is cancelled before. Then the load goes on for the
  ///   others only.
  func picture(for request: PictureRequest) async throws -> Picture {
    if let picture = memory.value(for: request.url) { return picture }
    lastID += 1
    let id = lastID
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { join(request, id, $0) }
    } onCancel: {
      Task { await leave(request.url, id) }
    }
  }

  private func join(_ request: PictureRequest, _ id: Int, _ continuation: Continuation) {
    // The flag of a task is set before its handler runs. So either it is seen here, or `leave` comes after this.
    if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
    let flight = flights.join(request.url, id, (request, continuation))
    // A task that waits for a continuation makes no other task more urgent.
    tasks[flight]?.escalatePriority(to: request.urgency.taskPriority)
    beginFlights()
  }

  private func leave(_ url: URL, _ id: Int) {
    let (waiter, abandoned) = flights.leave(url, id)
    if let abandoned { tasks[abandoned]?.cancel() }
    waiter?.continuation.resume(throwing: CancellationError())
  }

  private func beginFlights() {
    while let flight = flights.begin(by: \.request.urgency) {
      let (url, id) = (flight.url, flight.id)
      let urgency = flight.waiters.map(\.waiter.request.urgency).max()
      // With a priority of its own. It would have that of the task which happens to make room.
      tasks[id] = Task(priority: urgency?.taskPriority) { [load] in
        let result: Result<Picture, any Error>
        do { result = .success(try await load(url)) } catch { result = .failure(error) }
        land(url, id, result)
      }
    }
  }

  private func land(_ url: URL, _ id: Int, _ result: Result<Picture, any Error>) {
    tasks[id] = nil
    if let waiters = flights.land(url, id) {
      // A failure is not kept: the next one to ask tries again.
      if case .success(let picture) = result {
        memory.insert(picture, for: url, cost: picture.cost)
      }
      for waiter in waiters { waiter.continuation.resume(with: result) }
    }
    beginFlights()
  }
}

extension Urgency {
  fileprivate var taskPriority: TaskPriority { self == .visible ? .medium : .low }
}
