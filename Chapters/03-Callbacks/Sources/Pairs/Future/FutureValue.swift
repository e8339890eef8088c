import Synchronization

/// A value that comes later, once, or an error in its place.
final class Future<Value: Sendable>: Sendable {
  private typealias Link = @Sendable (Result<Value, any Error>) -> [Work]

  private enum State {
    case pending([Link])
    case resolved(Result<Value, any Error>)
  }

  private let state: Mutex<State>

  /// A future that somebody is to resolve.
  init() { state = Mutex(.pending([])) }

  /// A future that is resolved already.
  init(_ result: Result<Value, any Error>) { state = Mutex(.resolved(result)) }

  /// Gives the result to those that wait for it. The first result counts.
  @Sendable func resolve(with result: Result<Value, any Error>) { Work.perform(settle(result)) }

  /// Calls back with the result: at once if it is there, and otherwise where the future is resolved.
  func whenResolved(_ callback: @escaping Completion<Value>) {
    Work.perform(
      link { result in
        callback(result)
        return []
      })
  }

  /// A future of what comes of this one's result.
  ///
  /// - Parameter next: Makes a future of the result, or throws.
  private func then<New>(
    _ next: @escaping @Sendable (Result<Value, any Error>) throws -> Future<New>
  ) -> Future<New> {
    let future = Future<New>()
    let work = link { result in
      do {
        return try next(result).link { future.settle($0) }
      } catch {
        return future.settle(.failure(error))
      }
    }
    Work.perform(work)
    return future
  }

  /// Notes the result, and returns the steps that it sets off.
  private func settle(_ result: Result<Value, any Error>) -> [Work] {
    let links = state.withLock { state in
      guard case .pending(let links) = state else { return [Link]() }
      state = .resolved(result)
      return links
    }
    return links.map { link in Work { link(result) } }
  }

  /// Notes a step for later, or returns it if the result is there.
  private func link(_ link: @escaping Link) -> [Work] {
    let result = state.withLock { state -> Result<Value, any Error>? in
      switch state {
      case .resolved(let result): return result
      case .pending(let links):
        state = .pending(links + [link])
        return nil
      }
    }
    return result.map { result in [Work { link(result) }] } ?? []
  }

  // MARK: Chains

  /// A future of what `transform` makes of the value.
  func map<New>(_ transform: @escaping @Sendable (Value) throws -> New) -> Future<New> {
    then { result in Future<New>(.success(try transform(result.get()))) }
  }

  /// A future of the future that `next` makes of the value.
  func flatMap<New>(_ next: @escaping @Sendable (Value) throws -> Future<New>) -> Future<New> {
    then { result in try next(result.get()) }
  }

  /// A future of what `next` makes of the error, if there is one.
  func recover(_ next: @escaping @Sendable (any Error) throws -> Value) -> Future<Value> {
    then { result in
      guard case .failure(let error) = result else { return Future(result) }
      return Future(.success(try next(error)))
    }
  }
}

/// A step that a result sets off. It returns the next steps and does not call them, so a long chain needs no deep stack.
private struct Work: Sendable {
  let run: @Sendable () -> [Work]

  static func perform(_ work: [Work]) {
    var line = work
    var done = 0
    while done < line.count {
      line += line[done].run()
      done += 1
    }
  }
}
