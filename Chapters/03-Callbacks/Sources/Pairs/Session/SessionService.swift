import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A person service by `URLSession`.
struct SessionService: PersonService {
  struct StatusError: Error, Equatable { let status: Int }

  let server: URL
  let session: URLSession

  func person(_ id: Int, then completion: @escaping Completion<Person?>) -> Cancel {
    let url = server.appending(path: "\(id)")
    let task = session.dataTask(with: url) { data, response, error in
      completion(
        Result {
          if (error as? URLError)?.code == .cancelled { throw CancellationError() }
          do {
            if let error { throw error }
            return try person(in: data ?? Data(), response as? HTTPURLResponse)
          } catch {
            throw PersonError(layer: .service, id: id, cause: error)
          }
        })
    }
    task.resume()
    return { task.cancel() }
  }

  private func person(in data: Data, _ response: HTTPURLResponse?) throws -> Person? {
    switch response?.statusCode {
    case 200: try JSONDecoder().decode(Person.self, from: data)
    case 404: nil
    case let status: throw StatusError(status: status ?? 0)
    }
  }
}
