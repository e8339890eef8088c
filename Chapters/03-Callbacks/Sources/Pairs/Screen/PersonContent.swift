/// What a screen shows of a person.
enum PersonContent: Equatable, Sendable {
  case empty
  case person(Person)
  case nobody
  case failure(PersonError.Layer)

  /// - Parameter result: What came of a search, unless it was cancelled.
  init(_ result: Result<Person?, any Error>) {
    switch result {
    case .success(let person?): self = .person(person)
    case .success(nil): self = .nobody
    case .failure(let error as PersonError): self = .failure(error.layer)
    case .failure: self = .failure(.service)
    }
  }
}
