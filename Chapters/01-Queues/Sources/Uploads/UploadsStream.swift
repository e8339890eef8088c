/// One consumer takes the uploads out of a stream: first in, first out, like the queue.
public struct UploadsStream: Uploads {
  private enum Element {
    case upload(Upload)
    case flush(CheckedContinuation<Void, Never>)
  }

  private let input: AsyncStream<Element>.Continuation

  public init(send: @escaping @Sendable (Upload) -> Void) {
    let (stream, input) = AsyncStream.makeStream(of: Element.self)
    self.input = input
    Task {
      for await element in stream {
        switch element {
        case .upload(let upload): send(upload)
        case .flush(let continuation): continuation.resume()
        }
      }
    }
  }

  public func submit(_ batch: [Upload]) {
    for upload in batch { input.yield(.upload(upload)) }
  }

  public func finish() async {
    await withCheckedContinuation { input.yield(.flush($0)) }
  }

  /// Ends the consumer once it has sent what was handed over.
  public func close() {
    input.finish()
  }
}
