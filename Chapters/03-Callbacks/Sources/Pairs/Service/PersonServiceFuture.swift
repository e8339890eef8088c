extension PersonService {
  func futurePerson(_ id: Int, _ cancellation: Cancellation) -> Future<Person?> {
    let future = Future<Person?>()
    cancellation.begun(person(id, then: future.resolve))
    return future
  }
}
