import Foundation

extension Queued {
  /// Takes over users from a server: parsed and inserted in a private child, and saved level by level.
  struct Import: Sendable {
    let context: Context
    let load: @Sendable (@escaping @Sendable (Result<Data, any Error>) -> Void) -> Void

    /// - Parameter completion: Called when all of them are in the file, or none; on any queue.
    func start(then completion: @escaping @Sendable (Result<Int, any Error>) -> Void) {
      load { [context] result in
        let child = Context("import", parent: context)
        child.perform {
          do {
            let users = try JSONDecoder().decode([User].self, from: result.get())
            for user in users { child.insert(user) }
            child.saveToStore { error in
              completion(error.map { .failure($0) } ?? .success(users.count))
            }
          } catch {
            completion(.failure(error))
          }
        }
      }
    }
  }
}

extension Context {
  /// Saves this context, and then each one above it, up to the store: each on its own queue.
  func saveToStore(then completion: @escaping @Sendable ((any Error)?) -> Void) {
    perform {
      do { try self.save() } catch { return completion(error) }
      guard let parent = self.parent else { return completion(nil) }
      parent.saveToStore(then: completion)
    }
  }
}
