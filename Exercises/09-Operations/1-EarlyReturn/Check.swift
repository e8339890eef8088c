import ControlledDispatch
import ExerciseChecking
import Testing

@testable import Answer

/// What the check uses.
private protocol Uploading: Operation {
  init(_ bytes: [UInt8], client: any UploadClient)
  var result: Result<Int, UploadError>? { get }
}

extension Upload: Uploading {}

/// A client whose server gives receipt 7, or does what it is told.
private final class Client: UploadClient {
  enum Server {
    /// Answers later, on another thread.
    case answers
    /// Answers before `resume()` has returned.
    case answersAtOnce
    /// Answers on another thread, when it may.
    case answersWhenItMay
    case refuses
    /// Does not answer; the transfer ends when it is cancelled, before `cancel()` has returned.
    case hangs
    /// Does not answer; the transfer ends some time after it is cancelled, on another thread.
    case endsLater
  }

  let server: Server
  let mayAnswer = DispatchSemaphore(value: 0)
  private let begins: @Sendable () -> Void
  private let transfers = Mutex((made: 0, underWay: 0))

  /// - Parameter begins: Is called when a transfer is resumed.
  init(_ server: Server = .answers, begins: @escaping @Sendable () -> Void = {}) {
    self.server = server
    self.begins = begins
  }

  func transfer(
    _ bytes: [UInt8], completion: @escaping @Sendable (Result<Int, UploadError>) -> Void
  ) -> any Transfer {
    transfers.withLock { $0.made += 1 }
    return Line(self, completion: completion)
  }

  func begin() {
    transfers.withLock { $0.underWay += 1 }
    begins()
  }

  func end() {
    transfers.withLock { $0.underWay -= 1 }
  }

  /// What should not be, now that an upload has finished.
  func complaint(_ expected: Int) -> String {
    let (made, underWay) = transfers.withLock(\.self)
    if underWay > 0 { return ", while its transfer is still under way" }
    if made > expected {
      return ", and \(made) \(made == 1 ? "transfer was" : "transfers were") made"
    }
    return ""
  }
}

/// One transfer.
private final class Line: Transfer {
  private let client: Client
  private typealias Completion = @Sendable (Result<Int, UploadError>) -> Void
  /// What it calls back with, as long as it has not, and whether it has begun.
  private let state: Mutex<(completion: Completion?, hasBegun: Bool)>

  init(
    _ client: Client, completion: @escaping @Sendable (Result<Int, UploadError>) -> Void
  ) {
    self.client = client
    state = Mutex((completion, false))
  }

  func resume() {
    let begins = state.withLock { state in
      state.hasBegun = state.completion != nil
      return state.hasBegun
    }
    guard begins else { return }
    client.begin()
    switch client.server {
    case .answers: DispatchQueue.global().async { self.end(.success(7)) }
    case .answersAtOnce: end(.success(7))
    case .answersWhenItMay:
      DispatchQueue.global().async {
        self.client.mayAnswer.wait()
        self.end(.success(7))
      }
    case .refuses: DispatchQueue.global().async { self.end(.failure(.refused(status: 507))) }
    case .hangs, .endsLater: break
    }
  }

  func cancel() {
    guard client.server == .endsLater else { return end(.failure(.cancelled)) }
    DispatchQueue.global().async { self.end(.failure(.cancelled)) }
  }

  private func end(_ result: Result<Int, UploadError>) {
    let (completion, hasBegun) = state.withLock { ($0.completion.take(), $0.hasBegun) }
    guard let completion else { return }
    if hasBegun { client.end() }
    completion(result)
  }
}

private func words(_ result: Result<Int, UploadError>?) -> String {
  switch result {
  case .success(let number): "receipt \(number)"
  case .failure(.empty): "empty"
  case .failure(.cancelled): "cancelled"
  case .failure(.refused(let status)): "refused with \(status)"
  case nil: "no result"
  }
}

private func state(_ upload: any Uploading) -> String {
  switch (upload.isFinished, upload.isExecuting) {
  case (false, false): "waiting"
  case (false, true): "executing"
  case (true, false): "finished"
  case (true, true): "finished and executing"
  }
}

private enum Cancelling {
  case never
  /// Before the queue has it.
  case before
  /// At any moment from then on.
  case meanwhile
}

/// Tells the user of what it depends on.
private final class Announcement: Operation, @unchecked Sendable {
  // Sendable: nothing of it changes.
  private let tell: @Sendable () -> Void

  init(_ tell: @escaping @Sendable () -> Void) { self.tell = tell }

  override func main() { tell() }
}

/// What an operation that depends on an upload finds.
@Sendable private func found(
  _ bytes: [UInt8] = [1, 2], _ server: Client.Server = .answers, transfers: Int = 1,
  isCancelled: Cancelling = .never
) -> String {
  let client = Client(server)
  let upload: any Uploading = Upload(bytes, client: client)
  let found = Mutex("")
  let announcement = Announcement {
    let text = words(upload.result) + client.complaint(transfers)
    found.withLock { $0 = text }
  }
  announcement.addDependency(upload)
  if isCancelled == .before { upload.cancel() }
  OperationQueue().addOperations([upload, announcement], waitUntilFinished: false)
  if isCancelled == .meanwhile { upload.cancel() }
  announcement.waitUntilFinished()
  return found.withLock(\.self)
}

private let some = Orders.upTo(classes: 60, preempted: 40, drawn: 30)

@Test func `a file that is sent has its receipt, and what depends on the upload begins then`() async
{
  await everyOrder(gives: "receipt 7") { found() }
}

@Test func `a file has its receipt also if the client calls back before resume returns`() async {
  await everyOrder(gives: "receipt 7") { found([1, 2], .answersAtOnce) }
}

@Test func `the upload of an empty file finishes, without a transfer`() async {
  await everyOrder(gives: "empty") { found([], transfers: 0) }
}

@Test func `an upload that is cancelled before it starts finishes, without a transfer`() async {
  await everyOrder(gives: "cancelled") { found([1, 2], transfers: 0, isCancelled: .before) }
}

@Test func `an upload that the server refuses finishes, and says so`() async {
  await everyOrder(gives: "refused with 507") { found([1, 2], .refuses) }
}

@Test func `an upload that is cancelled at any moment finishes`() async {
  await everyOrder(gives: "cancelled") { found([1, 2], .hangs, isCancelled: .meanwhile) }
}

@Test func `a cancelled upload finishes when its transfer has called back, and not before`() async {
  await everyOrder(gives: "cancelled", within: some) {
    found([1, 2], .endsLater, isCancelled: .meanwhile)
  }
}

@Test func `if the receipt comes as the upload is cancelled, either is the result`() async {
  await everyOrder(gives: "cancelled", "receipt 7", within: some) {
    found([1, 2], isCancelled: .meanwhile)
  }
  await everyOrder(gives: "cancelled", "receipt 7", within: some) {
    found([1, 2], .answersAtOnce, isCancelled: .meanwhile)
  }
}

@Test func `it is executing while its transfer is under way, and start returns meanwhile`() async {
  await everyOrder(gives: "waiting, executing, finished with receipt 7") {
    let states = Mutex<[String]>([])
    let upload = Mutex<(any Uploading)?>(nil)
    let client = Client(.answersWhenItMay) {
      let now = upload.withLock(\.self).map(state) ?? "unknown"
      states.withLock { $0.append(now) }
    }
    let operation: any Uploading = Upload([1], client: client)
    upload.withLock { $0 = operation }
    let before = state(operation)
    states.withLock { $0.append(before) }
    operation.start()
    client.mayAnswer.signal()
    operation.waitUntilFinished()
    let after = "\(state(operation)) with \(words(operation.result))"
    return (states.withLock(\.self) + [after]).joined(separator: ", ")
  }
}

@Test func `as soon as it is finished, its result is there and it does not execute`() async {
  await everyOrder(gives: "not finished", "finished, with receipt 7", within: some) {
    let upload: any Uploading = Upload([1], client: Client())
    OperationQueue().addOperation(upload)
    // Read in this order, they show no state that was never there.
    let isFinished = upload.isFinished
    let isExecuting = upload.isExecuting
    let result = upload.result
    upload.waitUntilFinished()
    guard isFinished else { return "not finished" }
    return "finished\(isExecuting ? " and executing" : ""), with \(words(result))"
  }
}

@Test func `a cancellation that comes too late, or twice, changes nothing`() async {
  await everyOrder(gives: "finished with receipt 7; finished with cancelled", within: some) {
    let texts = [Client.Server.answers, .hangs].map { server in
      let upload: any Uploading = Upload([1], client: Client(server))
      OperationQueue().addOperation(upload)
      if server == .hangs { upload.cancel() }
      upload.waitUntilFinished()
      upload.cancel()
      return "\(state(upload)) with \(words(upload.result))"
    }
    return texts.joined(separator: "; ")
  }
}

@Test func `a queue that runs one at a time comes to its end, whatever becomes of each`() async {
  await everyOrder(
    gives: "empty, cancelled, refused with 507, receipt 7, receipt 7",
    within: .upTo(classes: 20, preempted: 20, drawn: 20)
  ) {
    let uploads: [any Uploading] = [
      Upload([], client: Client()), Upload([1], client: Client()),
      Upload([1], client: Client(.refuses)), Upload([1], client: Client(.answersAtOnce)),
      Upload([1], client: Client()),
    ]
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    uploads[1].cancel()
    queue.addOperations(uploads, waitUntilFinished: true)
    return uploads.map { words($0.result) }.joined(separator: ", ")
  }
}
