import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The text in a response to a request.
func newsText(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) throws -> String {
  if let error { throw error }
  let status = (response as? HTTPURLResponse)?.statusCode ?? 0
  guard status == 200, let data else { throw SessionService.StatusError(status: status) }
  return String(decoding: data, as: UTF8.self)
}

func newsAlert(_ error: any Error) -> String {
  switch error {
  case let error as SessionService.StatusError: "The server said \(error.status)."
  default: "There is no connection."
  }
}
