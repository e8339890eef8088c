import Foundation
import Synchronization
import Workbook

@testable import Operations

/// A server that answers when the test says so, and calls back on a queue of its own.
final class Desk: Sendable {
  struct Failure: Error, Equatable {}

  private struct Requests {
    var begun: [String: Gate] = [:]
    var open: [String: @Sendable (Answer) -> Void] = [:]
  }

  private let queue = DispatchQueue(label: "desk")
  private let requests = Mutex(Requests())
  /// What was asked for, and how it ended.
  let log = Transcript()

  /// Waits until a photo is sent.
  func waits(for name: String) async { await gate(name).wait() }

  /// Answers a request once it is there.
  func answer(_ name: String, _ answer: Answer) async {
    await waits(for: name)
    end(name, answer)
  }

  func keep(_ photo: Photo) async {
    await answer(photo.name, .success(Receipt(name: photo.name, count: photo.bytes.count)))
  }

  func send(_ photo: Photo, then completion: @escaping @Sendable (Answer) -> Void) -> Request {
    log.say("begun \(photo.name)")
    requests.withLock { $0.open[photo.name] = completion }
    gate(photo.name).open()
    return Request { self.end(photo.name, .failure(CancellationError())) }
  }

  func send(_ photo: Photo) async throws -> Receipt {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        _ = send(photo) { continuation.resume(with: $0) }
        if Task.isCancelled { end(photo.name, .failure(CancellationError())) }
      }
    } onCancel: {
      end(photo.name, .failure(CancellationError()))
    }
  }

  private func end(_ name: String, _ answer: Answer) {
    guard let completion = requests.withLock({ $0.open.removeValue(forKey: name) }) else { return }
    if case .failure(is CancellationError) = answer { log.say("cancelled \(name)") }
    queue.async { completion(answer) }
  }

  private func gate(_ name: String) -> Gate {
    requests.withLock { requests in
      let gate = requests.begun[name] ?? Gate()
      requests.begun[name] = gate
      return gate
    }
  }
}

extension Photo {
  /// A photo of three bytes.
  static func named(_ name: String) -> Photo { Photo(name: name, bytes: [2, 3, 5]) }
}

extension OperationQueue {
  /// Adds operations, all at once, also from async code, where `addOperations` is unavailable for fear that it waits.
  func add(_ operations: [Operation]) { addOperations(operations, waitUntilFinished: false) }

  /// Waits until all that is in the queue has ended; nothing is added meanwhile.
  func drained() async { await operations.ended() }
}

/// In short what came of a request.
func short(_ answer: Answer) -> String {
  switch answer {
  case .success(let receipt): receipt.name
  case .failure(let error): "\(type(of: error))"
  }
}
