import Workbook

extension Subject {
  static let failedDependency = Subject(
    "failed-dependency",
    asks: "One of two uploads fails, and the announcement depends on both. What is announced?",
    right: .allowed("an error"),
    implementations: [
      .before(
        "depends on them", .surprising("1 photo", "a dependency is finished, however it has ended")
      ) { _ in
        let (server, counts) = (Server(), Counts())
        let publishing = Unasked.Publishing(send: server.send) { counts.add($0.count) }
        return told(await result { publishing.publish([.harbour, .empty], then: $0) }, counts)
      }
      .code("PublishUnasked.swift", "announce(answers.receipts)")
      .alwaysWrong,
      .before("depends on them, and asks") { _ in
        let (server, counts) = (Server(), Counts())
        let publishing = Depending.Publishing(send: server.send) { counts.add($0.count) }
        return told(await result { publishing.publish([.harbour, .empty], then: $0) }, counts)
      }
      .code("PublishOperation.swift", "completion(Result"),
      .after("throwing task group") { _ in
        let (server, counts) = (Server(), Counts())
        let publishing = TaskGrouped.Publishing(upload: .init(send: server.send)) {
          counts.add($0.count)
        }
        return await told(publishing, counts) { try await $0.publish([.harbour, .empty]) }
      }
      .code("PublishTaskGroup.swift", "for try await"),
      .after("async let") { _ in
        let (server, counts) = (Server(), Counts())
        let publishing = Awaited.Publishing(upload: .init(send: server.send)) {
          counts.add($0.count)
        }
        return await told(publishing, counts) {
          try await $0.publish(.harbour, thumbnail: .empty)
        }
      }
      .code("PublishAsync.swift", "async let large"),
    ])
}

private func told(_ result: Result<Void, any Error>, _ counts: Counts) -> String {
  if case .failure = result { "an error" } else { photos(counts.sum) }
}

private func told<Publishing>(
  _ publishing: Publishing, _ counts: Counts, _ publish: (Publishing) async throws -> Void
) async -> String {
  do {
    try await publish(publishing)
    return photos(counts.sum)
  } catch { return "an error" }
}
