import Foundation

/// What `workbook-costs` compares: forms of one work, in turn, each against the first.
public let comparisons:
  [(work: String, forms: [(name: String, run: @Sendable () async throws -> Void)])] = [
    (
      "5,000 uploads whose server answers at once, 4 at a time",
      [
        ("concurrent operations", { @Sendable in await uploadByOperations() }),
        ("child tasks", { @Sendable in try await uploadByTasks() }),
      ]
    ),
    (
      "a graph of 1,000 pieces, each needs the 3 before it, 2 at a time",
      [
        ("operations with dependencies", { @Sendable in runOperations() }),
        ("Graph over a task group", { @Sendable in try await runTasks() }),
      ]
    ),
  ]

// MARK: Uploads

private let photos = (0..<5_000).map { Photo(name: "\($0)", bytes: [1]) }

private func uploadByOperations() async {
  let server = DispatchQueue(label: "server")
  let queue = OperationQueue()
  queue.maxConcurrentOperationCount = 4
  await withCheckedContinuation { continuation in
    for photo in photos {
      queue.addOperation(
        Concurrent.UploadOperation(photo) { photo, completion in
          server.async { completion(.success(Receipt(name: photo.name, count: 1))) }
          return Request {}
        } report: { _ in
        })
    }
    queue.addBarrierBlock { continuation.resume() }
  }
}

private actor Server {
  func send(_ photo: Photo) -> Receipt { Receipt(name: photo.name, count: 1) }
}

private func uploadByTasks() async throws {
  let server = Server()
  try await withThrowingTaskGroup(of: Void.self) { group in
    for (index, photo) in photos.enumerated() {
      if index >= 4 { try await group.next() }
      group.addTask { _ = await server.send(photo) }
    }
    try await group.waitForAll()
  }
}

// MARK: A graph

private let pieces = (0..<1_000).map { index in
  (name: "\(index)", needs: (max(0, index - 3)..<index).map { "\($0)" })
}

private func runOperations() {
  let graph = Depending.Graph()
  for (name, needs) in pieces { graph.add(name, after: needs) {} }
  graph.run(width: 2)
}

private func runTasks() async throws {
  var graph = TaskGrouped.Graph()
  for (name, needs) in pieces { graph.add(name, after: Set(needs)) {} }
  let endings = try await graph.run(width: 2)
  precondition(endings.count == pieces.count)
}
