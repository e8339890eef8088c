import Dispatch
import Synchronization
import Workbook

extension Subject {
  static let calledTwice = Subject(
    "called-twice",
    asks: "A store calls back with what it has, and then with what the server has. Who is it?",
    right: .allowed("Ada"),
    implementations: [
      .after(
        "a bare continuation", .trap("a continuation is resumed once").played(as: "fatal error")
      ) { stage in
        let store = CalledTwice.PersonStore(cached: .ada, service: Desk())
        stage.aboutToBlock("a second call")
        let person = await told { try await store.person(1) }
        if !stage.isExplored { await Gate().wait() }
        return person
      }
      .code("PersonStoreCalledTwice.swift", "withCheckedThrowingContinuation"),
      .before("the first result counts") { stage in
        let store = CalledTwice.PersonStore(cached: .ada, service: Desk())
        return await told(
          result { completion in store.person(1, then: FirstResult(completion).take) })
      }
      .code("FirstResult.swift", "defer { completion = nil }"),
      .after("a reply in between") { _ in
        let store = CalledTwice.PersonStore(cached: .ada, service: Desk())
        let reply = Async.Reply<Person?>()
        store.person(1, then: reply.take)
        return await told { try await reply.value }
      }
      .code("ReplyMutex.swift", "guard state.result == nil"),
    ])

  static let neverCalled = Subject(
    "never-called",
    asks: "A store knows that there is no person 0. When does its caller hear of it?",
    right: .allowed("nobody"),
    implementations: [
      .after(
        "a completion that one path forgets", .deadlock("nobody resumes the continuation")
      ) { stage in
        let store = Forgetful.PersonStore(service: Desk())
        stage.aboutToBlock("an answer that does not come")
        return await told { try await store.person(0) }
      }
      .code("PersonStoreForgetful.swift", "guard id > 0")
      .alwaysWrong
      .found("scenario waits for a continuation"),
      .before("each path calls") { _ in
        let store = CalledBack.PersonStore(known: .nobody, service: Desk())
        return await told(result { _ = store.person(0, then: $0) })
      }
      .code("PersonStoreCallback.swift", "return answer.take(.failure(error))"),
      .after("each path returns") { _ in
        let store = Async.PersonStore(known: .nobody, service: Desk())
        return await told { try await store.person(0) }
      }
      .code("PersonStoreAsync.swift", "return person"),
    ])

  static let waitOnItsQueue = Subject(
    "wait-on-its-queue",
    asks: "The main thread waits for a service that calls back on the main queue. Until when?",
    right: .allowed("Ada"),
    implementations: [
      .before(
        "semaphore, on the queue of the callback",
        .deadlock("the callback waits for the thread that waits for it")
      ) { stage in
        await onMain {
          stage.aboutToBlock("a wait for a callback on the same queue")
          return told(Result { try Desk(on: .main).waitForPerson(1, Cancellation()) })
        }
      }
      .code("PersonServiceSemaphore.swift", "isThere.wait()")
      .alwaysWrong
      .found(
        "scenario waits for a continuation; main 1 waits for DispatchSemaphore of BlockingAnswer; main 2 waits for "
          + "queue main, held by main 1"),
      .before("semaphore, on another thread") { _ in
        await result { completion in
          DispatchQueue(label: "caller").async {
            completion(told(Result { try Desk(on: .main).waitForPerson(1, Cancellation()) }))
          }
        }
      }
      .code("PersonServiceSemaphore.swift", "isThere.wait()"),
      .after("await, on main") { _ in
        await toldOnMain { try await Desk(on: .main).person(1) }
      }
      .code("PersonServiceAsync.swift", "try await reply.value"),
    ])
}

/// Runs code on the main queue.
private func onMain(_ body: @escaping @Sendable () -> String) async -> String {
  await result { completion in DispatchQueue.main.async { completion(body()) } }
}

@MainActor private func toldOnMain(_ person: @Sendable () async throws -> Person?) async -> String {
  await told(person)
}
