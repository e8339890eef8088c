import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension CalledBack {
  /// Cancels a request when its time is over.
  struct TimeLimitedTransport: CallbackTransport {
    let transport: any CallbackTransport
    let limit: Duration
    let later: Later

    func send(_ request: URLRequest, then completion: @escaping Completion<Response>) -> Cancel {
      let (sending, alarm) = (Cancellation(), Cancellation())
      let result = FirstResult<Response> { answer in
        alarm.cancel()
        completion(answer)
      }
      alarm.begun(
        later(limit) {
          result.take(.failure(TransportError.timedOut(after: limit)))
          sending.cancel()
        })
      sending.begun(transport.send(request, then: result.take))
      return sending.cancel
    }
  }
}
