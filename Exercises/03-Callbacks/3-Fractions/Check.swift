import ControlledDispatch
import ExerciseChecking
import Testing

@testable import Answer

/// An upload that a test drives.
private final class TestUpload: Upload {
  struct Refused: Error {}

  private let state = Mutex<(delegate: Weak, isCancelled: Bool)>((Weak(), false))
  private let isOverAtOnce: Bool

  /// - Parameter isOverAtOnce: Whether it has succeeded before `begin` returns.
  init(overAtOnce isOverAtOnce: Bool = false) { self.isOverAtOnce = isOverAtOnce }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }
  var hasDelegate: Bool { delegate != nil }

  private var delegate: (any UploadDelegate)? { state.withLock { $0.delegate.value } }

  func begin(delegate: any UploadDelegate) {
    state.withLock { $0.delegate.value = delegate }
    if isOverAtOnce { succeed() }
  }

  func cancel() { state.withLock { $0.isCancelled = true } }

  func send(_ fractions: Double...) {
    for fraction in fractions { delegate?.upload(didSend: fraction) }
  }

  func succeed() { delegate?.uploadDidSucceed() }

  func fail() { delegate?.upload(didFail: Refused()) }
}

private struct Weak: Sendable {
  weak var value: (any UploadDelegate)?
}

/// What a stream gives, and how it ends.
private func read(_ fractions: AsyncThrowingStream<Double, any Error>) async -> String {
  var words: [String] = []
  do {
    for try await fraction in fractions { words.append("\(fraction)") }
    words.append("end")
  } catch is TestUpload.Refused {
    words.append("refused")
  } catch {
    words.append("\(error)")
  }
  return words.joined(separator: ", ")
}

@Test func `a reader that is quick gets every fraction, and the end`() async {
  await everyOrder(gives: "0.5, 1.0, end") {
    let upload = TestUpload()
    let fractions = fractions(of: upload)
    upload.send(0.5)
    var reader = fractions.makeAsyncIterator()
    let first = try await reader.next() ?? 0
    upload.send(1)
    upload.succeed()
    return "\(first), \(await read(fractions))"
  }
}

@Test func `a failure is thrown`() async {
  await everyOrder(gives: "0.5, refused") {
    let upload = TestUpload()
    let fractions = fractions(of: upload)
    upload.send(0.5)
    upload.fail()
    return await read(fractions)
  }
}

@Test func `a reader that is late gets the newest fraction only`() async {
  await everyOrder(gives: "0.75, end") {
    let upload = TestUpload()
    let fractions = fractions(of: upload)
    upload.send(0.25, 0.5, 0.75)
    upload.succeed()
    return await read(fractions)
  }
}

@Test func `the delegate is there as long as somebody reads`() async {
  await everyOrder(gives: "end") {
    let upload = TestUpload()
    let fractions = fractions(of: upload)
    guard upload.hasDelegate else { return "nobody hears of it" }
    upload.succeed()
    return await read(fractions)
  }
}

@Test func `an upload whose reader is cancelled is cancelled`() async {
  await everyOrder(gives: "cancelled") {
    let upload = TestUpload()
    let fractions = fractions(of: upload)
    let reader = Task(name: "reader") { _ = await read(fractions) }
    reader.cancel()
    await reader.value
    return upload.isCancelled ? "cancelled" : "goes on"
  }
}

@Test func `an upload that nobody reads any more is cancelled`() async {
  await everyOrder(gives: "cancelled") {
    let upload = TestUpload()
    _ = fractions(of: upload)
    return upload.isCancelled ? "cancelled" : "goes on"
  }
}

/// What a stream gives, and whether its upload is cancelled when nobody has it any more.
private func end(of upload: TestUpload, _ end: () -> Void = {}) async -> String {
  func gives() async -> String {
    let fractions = fractions(of: upload)
    end()
    return await read(fractions)
  }
  return await gives() + (upload.isCancelled ? ", cancelled" : ", not cancelled")
}

@Test func `an upload that is over is not cancelled`() async {
  await everyOrder(gives: "end, not cancelled") {
    let upload = TestUpload()
    return await end(of: upload, upload.succeed)
  }
  await everyOrder(gives: "refused, not cancelled") {
    let upload = TestUpload()
    return await end(of: upload, upload.fail)
  }
  await everyOrder(gives: "end, not cancelled") { await end(of: TestUpload(overAtOnce: true)) }
}
