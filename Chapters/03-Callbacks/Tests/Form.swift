import Foundation
import Testing
import Workbook

@testable import Callbacks

/// What a form of the store stands on.
struct Layers: Sendable {
  let known: KnownPersons
  let service: any PersonService
}

/// A form of the store, with a completion handler around it that is called on the main queue.
struct Form: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// Makes a store, and returns what asks it for a person and gives what cancels that.
  let store: @Sendable (Layers) -> @Sendable (Int, @escaping Completion<Person?>) -> Cancel

  static let all = [
    Form(testDescription: "blocking") { layers in
      let store = Blocking.PersonStore(known: layers.known, service: layers.service)
      return { id, completion in
        let cancellation = Cancellation()
        Thread.detachNewThread {
          let result = Result { try store.person(id, cancellation) }
          DispatchQueue.main.async { completion(result) }
        }
        return cancellation.cancel
      }
    },
    Form(testDescription: "completion handler") { layers in
      let store = CalledBack.PersonStore(known: layers.known, service: layers.service)
      return { store.person($0, then: $1) }
    },
    Form(testDescription: "future") { layers in
      let store = Promised.PersonStore(known: layers.known, service: layers.service)
      return { id, completion in
        let cancellation = Cancellation()
        store.person(id, cancellation).whenResolved { result in
          DispatchQueue.main.async { completion(result) }
        }
        return cancellation.cancel
      }
    },
    Form(testDescription: "async function") { layers in
      let store = Async.PersonStore(known: layers.known, service: layers.service)
      return { id, completion in store.person(id, then: { completion($0) }) }
    },
  ]

  /// What a store says of a person.
  func person(_ id: Int, of layers: Layers) async -> Result<Person?, any Error> {
    await result { _ = store(layers)(id, $0) }
  }
}

/// A person screen of a form: the old one is called back, the new one awaits.
@MainActor final class TestScreen {
  let indicator = BusyIndicator()
  let show: (Int) -> Void
  let leave: () -> Void
  let content: () -> PersonContent

  init(_ form: Form, of layers: Layers, whenAnswered answered: @escaping @Sendable () -> Void) {
    if form.testDescription == "async function" {
      let store = Async.PersonStore(known: layers.known, service: layers.service)
      let screen = Async.PersonScreen(indicator: indicator) { id in
        try await store.person(id)
      }
      show = { id in
        screen.show(id)
        let task = screen.task
        Task {
          await task?.value
          answered()
        }
      }
      leave = screen.leave
      content = { screen.content }
    } else {
      let load = form.store(layers)
      let screen = CalledBack.PersonScreen(indicator: indicator) { id, completion in
        load(id) { result in
          completion(result)
          DispatchQueue.main.async { answered() }
        }
      }
      show = screen.show
      leave = screen.leave
      content = { screen.content }
    }
  }
}
