import Foundation
import Testing
import Workbook

@testable import Operations

/// The contract of an upload, which all its forms keep: its owner is told once, before it has ended.
@Suite(.timeLimit(.minutes(30))) struct UploadTests {
  struct Form: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// - Returns: When it has ended, and what cancels it.
    let begin:
      @Sendable (Photo, Desk, _ told: Transcript) -> (
        ended: @Sendable () async -> Void, cancel: @Sendable () -> Void
      )
  }

  // The one that sleeps is explored, where the time is virtual.
  static let forms =
    [
      operation("main() that waits") { photo, desk, report in
        Waiting.UploadOperation(photo, send: desk.send, report: report)
      }
    ] + cancellable

  /// Those that a cancelling reaches while the request is under way.
  static let cancellable = [
    operation("concurrent operation") { photo, desk, report in
      Concurrent.UploadOperation(photo, send: desk.send, report: report)
    },
    Form(testDescription: "task") { photo, desk, told in
      let upload = Awaited.Upload(send: desk.send).start(photo)
      let telling = Task { told.say(short(await upload.result)) }
      return ({ await telling.value }, upload.cancel)
    },
  ]

  static func operation(
    _ name: String,
    _ make: @escaping @Sendable (Photo, Desk, @escaping @Sendable (Answer) -> Void) -> Operation
  ) -> Form {
    Form(testDescription: name) { photo, desk, told in
      let upload = make(photo, desk) { told.say(short($0)) }
      let queue = OperationQueue()
      queue.addOperation(upload)
      return ({ await queue.drained() }, { upload.cancel() })
    }
  }

  @Test(arguments: forms)
  func `the owner is told the receipt, once`(_ form: Form) async {
    let (desk, told) = (Desk(), Transcript())
    let upload = form.begin(.named("abc"), desk, told)
    await desk.keep(.named("abc"))
    await upload.ended()
    #expect(told.steps == ["abc"])
  }

  @Test(arguments: forms)
  func `the owner is told the error, once`(_ form: Form) async {
    let (desk, told) = (Desk(), Transcript())
    let upload = form.begin(.named("abc"), desk, told)
    await desk.answer("abc", .failure(Desk.Failure()))
    await upload.ended()
    #expect(told.steps == ["Failure"])
  }

  @Test(arguments: cancellable)
  func `a request under way is cancelled, and the owner is told`(_ form: Form) async {
    let (desk, told) = (Desk(), Transcript())
    let upload = form.begin(.named("abc"), desk, told)
    await desk.waits(for: "abc")
    upload.cancel()
    await upload.ended()
    #expect(told.steps == ["CancellationError"])
    #expect(desk.log.steps == ["begun abc", "cancelled abc"])
  }

  @Test(arguments: cancellable)
  func `cancelled after its end it is as it was`(_ form: Form) async {
    let (desk, told) = (Desk(), Transcript())
    let upload = form.begin(.named("abc"), desk, told)
    await desk.keep(.named("abc"))
    await upload.ended()
    upload.cancel()
    #expect(told.steps == ["abc"])
    #expect(desk.log.steps == ["begun abc"])
  }

  @Test(arguments: cancellable)
  func `without anything to send it ends with an error, and nothing is sent`(
    _ form: Form
  ) async {
    let (desk, told) = (Desk(), Transcript())
    await form.begin(Photo(name: "abc", bytes: []), desk, told).ended()
    #expect(told.steps == ["NothingToSend"])
    #expect(desk.log.steps.isEmpty)
  }

  @Test func `a main() that waits goes on, though it is cancelled`() async {
    let (desk, told) = (Desk(), Transcript())
    let upload = Self.forms[0].begin(.named("abc"), desk, told)
    await desk.waits(for: "abc")
    upload.cancel()
    await desk.keep(.named("abc"))
    await upload.ended()
    #expect(told.steps == ["abc"])
  }
}
