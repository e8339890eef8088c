import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension SessionTransport: CallbackTransport {
  func send(_ request: URLRequest, then completion: @escaping Completion<Response>) -> Cancel {
    let task = session.dataTask(with: request)
    receipts.expect(task, then: completion)
    task.resume()
    return { task.cancel() }
  }
}
