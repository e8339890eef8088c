import DeadlocksExplored
import Interleaving
import Workbook

// What the explorer runs of the new side: the deadlocks that await leaves, and what actors do instead.

extension Scenario {
  static let twoActors = Scenario(
    "two-actors",
    asks: "The two queues have become two actors. A renames a photo, B deletes it. What happens?",
    versions: [
      Version(
        "two actors, crosswise", .allowed("consistent"),
        .surprising("inconsistent", "nobody waits, and each finds what the other has half done"),
        strategy: .reduced(assuming: .actorIsolation)
      ) { await renameAgainstDelete(in: LibraryTwoActors(photos: ["a"])) },
      Version(
        "one actor for both", .allowed("consistent"),
        strategy: .reduced(assuming: .actorIsolation)
      ) { await renameAgainstDelete(in: LibraryActor(photos: ["a"])) },
    ])

  static let twoPurses = Scenario(
    "two-purses",
    asks: "A pays B and B pays A, and each purse is an actor. What happens?",
    versions: [
      Version(
        "actor, gives and then calls", .allowed("70 and 130"),
        strategy: .reduced(assuming: .actorIsolation)
      ) {
        let purses = (1...2).map { TransferActor(number: $0, balance: 100) }
        await withTaskGroup { group in
          group.addTask(name: "A") { await purses[0].transfer(50, to: purses[1]) {} }
          group.addTask(name: "B") { await purses[1].transfer(20, to: purses[0]) {} }
        }
        return "\(await purses[0].balance) and \(await purses[1].balance)"
      }
    ])

  static let taskCycle = Scenario(
    "task-cycle",
    asks: "Model needs Net, and Net needs Model. What does the resolver say?",
    versions: [
      Version(
        "awaits the task in flight",
        .surprising("deadlock", "each task awaits the other's value")
      ) { "\(await ResolverAwaitingInACircle(inACircle).needs(of: "Model").sorted())" },
      Version("refuses to close a circle", .allowed("refused")) {
        do {
          return "\(try await ResolverActor(inACircle).needs(of: "Model").sorted())"
        } catch { return "refused" }
      },
    ])

  static let twoTaskCycle = Scenario(
    "two-task-cycle",
    asks: "A asks for Model, B for Net, and each needs the other. What does the resolver say?",
    versions: [
      Version(
        "awaits the task in flight",
        .surprising("deadlock", "each task awaits the other's value"),
        strategy: .exhaustive
      ) {
        let resolver = ResolverAwaitingInACircle(inACircle)
        async let model = resolver.needs(of: "Model")
        async let net = resolver.needs(of: "Net")
        return "\(await model.count + net.count)"
      },
      Version(
        "refuses to close a circle", .allowed("both refused"), strategy: .exhaustive
      ) {
        let resolver = ResolverActor(inACircle)
        async let model = isRefused { try await resolver.needs(of: "Model") }
        async let net = isRefused { try await resolver.needs(of: "Net") }
        return await (model, net) == (true, true) ? "both refused" : "not both refused"
      },
    ])

  static let forgottenContinuation = Scenario(
    "forgotten-continuation",
    asks: "The connection closes while A waits for an answer. What does A get?",
    versions: [
      Version(
        "close forgets who waits", .allowed("A gets nothing"),
        .surprising("deadlock", "nobody is left to resume A")
      ) {
        let requests = RequestsForgottenAtClose()
        async let answer = requests.answer(to: 1)
        await requests.close()
        return await answer.map { "A gets \($0)" } ?? "A gets nothing"
      },
      Version("close answers who waits", .allowed("A gets nothing")) {
        let requests = RequestsActor()
        async let answer = requests.answer(to: 1)
        await requests.close()
        return await answer.map { "A gets \($0)" } ?? "A gets nothing"
      },
    ])

  static let unfinishedStream = Scenario(
    "unfinished-stream",
    asks: "A backup ends at a file that cannot be read. When does the reader of its progress end?",
    versions: [
      Version(
        "finished at the end",
        .surprising("deadlock", "the early return does not finish the stream")
      ) {
        let (stream, progress) = AsyncStream.makeStream(of: Int.self)
        async let copied = stream.reduce(0) { max($0, $1) }
        await BackupUnfinished().run(["a", "", "b"], progress)
        return "\(await copied) copied"
      },
      Version("finished on every path", .allowed("1 copied")) {
        let (stream, progress) = AsyncStream.makeStream(of: Int.self)
        async let copied = stream.reduce(0) { max($0, $1) }
        await BackupStream().run(["a", "", "b"], progress)
        return "\(await copied) copied"
      },
    ])

  static let blockedMainActor = Scenario(
    "blocked-main-actor",
    asks: "On the main actor a price is waited for that comes from the main actor. What happens?",
    versions: [
      Version(
        "semaphore around a task",
        .surprising("deadlock", "the task needs the actor that waits for it")
      ) {
        let catalogue = DeadlocksExplored.CatalogueBlocking { _ in await mainActorPrice() }
        return "price \(await onMainActor { catalogue.price(of: "a") })"
      },
      Version("await", .allowed("price 7")) {
        let catalogue = CatalogueAsync { _ in await mainActorPrice() }
        return "price \(await catalogue.price(of: "a"))"
      },
    ])

  static let asyncPhilosophers = Scenario(
    "async-philosophers",
    asks: "Philosophers await their two forks, and no thread blocks. Does each get to eat?",
    versions: [
      Version(
        "left fork first, two seats", .allowed("all ate"),
        .surprising("deadlock", "each has the left fork and awaits the right"),
        strategy: .reduced(assuming: .actorIsolation)
      ) {
        let table = TableOfForks((1...2).map { NamedFork("fork \($0)") })
        return await dinner(2) { await table.eat(at: $0) }
      },
      Version(
        "both forks in one step, three seats", .allowed("all ate"),
        strategy: .reduced(assuming: .actorIsolation)
      ) {
        let table = TableActor(seats: 3)
        return await dinner(3) { await table.eat(at: $0) {} }
      },
    ])
}

// MARK: What they do

private func renameAgainstDelete(in library: some Library) async -> String {
  await withTaskGroup { group in
    group.addTask(name: "A") { await library.rename("a", to: "b") {} }
    group.addTask(name: "B") { await library.delete("a") {} }
  }
  return await library.isConsistent ? "consistent" : "inconsistent"
}

private let inACircle = ["Model": ["Net"], "Net": ["Model"]]

private func isRefused(_ body: () async throws -> Set<String>) async -> Bool {
  do {
    _ = try await body()
    return false
  } catch { return true }
}

@MainActor private func mainActorPrice() -> Int { 7 }

@MainActor private func onMainActor(_ body: () -> Int) -> Int { body() }

private func dinner(_ seats: Int, _ eat: @escaping @Sendable (Int) async -> Void) async -> String {
  await withTaskGroup { group in
    for seat in 0..<seats {
      group.addTask(name: "philosopher \(seat + 1)") { await eat(seat) }
    }
  }
  return "all ate"
}

/// A fork whose holder the explorer knows, so that a deadlock names its cycle.
private struct NamedFork: Fork {
  private let resource: Resource
  private let fork = ForkActor()

  init(_ name: String) { resource = Resource(name) }

  func take() async { await resource.acquire { await fork.take() } }
  func putBack() async { await resource.release { await fork.putBack() } }
}
