import Workbook

extension Demo {
  static let batchOrder = Demo(
    "batch-order",
    asks:
      "Three uploads are handed over: a, b, and c, which is urgent. In what order are they sent?",
    sides: [
      .before(
        "serial queue, c with a higher QoS",
        .allowed("a b c", "first in, first out: the urgent one waits for the others"),
        .forbidden("c a b")
      ) { _ in await orderSent(of: Queued.Uploads.init(send:)) }
      .code("UploadsSerialQueue.swift", "for upload in batch"),
      .after(
        "actor, c with a higher priority",
        .surprising("c a b", "an actor serves by priority"), .forbidden("a b c")
      ) { _ in await orderSent(of: Isolated.Uploads.init(send:)) }
      .code("UploadsActor.swift", "for upload in batch"),
      .after(
        "stream with one consumer", .allowed("a b c", "first in, first out"), .forbidden("c a b")
      ) { _ in await orderSent(of: Streamed.Uploads.init(send:)) }
      .code("UploadsStream.swift", "consumer = Task"),
    ])
}

/// Uploads files one at a time. Which comes first is where the implementations differ.
protocol Uploading: Sendable {
  /// Hands over some files; returns without waiting for them.
  func submit(_ batch: [Upload]) async
  /// Waits until everything that was handed over is sent; nothing may be handed over after.
  func finish() async
}

extension Queued.Uploads: Uploading {
  func finish() async {
    await withCheckedContinuation { continuation in finish { continuation.resume() } }
  }
}
extension Isolated.Uploads: Uploading {}
extension Streamed.Uploads: Uploading {}
extension Tasked.Uploads: Uploading {}

private func orderSent(
  of make: (@escaping @Sendable (Upload) -> Void) -> some Uploading
) async -> String {
  let sent = Transcript()
  let uploads = make { sent.say($0.name) }
  await uploads.submit([Upload("a"), Upload("b"), Upload("c", isUrgent: true)])
  await uploads.finish()
  return sent.steps.joined(separator: " ")
}
