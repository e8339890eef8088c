import Foundation
import Synchronization

/// Persons in memory, and in a folder with a file for each.
final class KnownPersons: Sendable {
  private let folder: URL
  private let memory = Mutex<[Int: Person]>([:])

  init(in folder: URL) { self.folder = folder }

  /// Looks in memory, and then in the folder; blocks its thread meanwhile.
  ///
  /// - Returns: The person; nil if neither has one.
  /// - Throws: A ``PersonError`` if there is a file, and it cannot be read.
  func person(_ id: Int) throws -> Person? {
    if let person = memory.withLock({ $0[id] }) { return person }
    do {
      let person = try JSONDecoder().decode(Person.self, from: Data(contentsOf: file(of: id)))
      keep(person)
      return person
    } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
      return nil
    } catch {
      throw PersonError(layer: .folder, id: id, cause: error)
    }
  }

  /// Keeps a person in memory.
  func keep(_ person: Person) { memory.withLock { $0[person.id] = person } }

  func file(of id: Int) -> URL { folder.appending(path: "\(id).json") }
}
