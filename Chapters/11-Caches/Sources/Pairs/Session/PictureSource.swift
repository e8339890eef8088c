import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// An answer that is none.
struct StatusError: Error, Equatable { let status: Int }

/// Where pictures come from: the disk, and if they are not there, a server.
final class PictureSource: Sendable {
  let folder: PictureFolder
  let session: URLSession

  /// - Parameters:
  ///   - connections: How many to a server at a time.
  ///   - silence: For how long a server may send nothing, in seconds.
  init(folder: PictureFolder, connections: Int, silence: TimeInterval = 60) {
    self.folder = folder
    session = .uncached(connections: connections, silence: silence)
  }

  // A session keeps its thread and its connections until then. A load that goes on has the source, too.
  deinit { session.finishTasksAndInvalidate() }

  /// Decodes an answer, and keeps it on disk if it is a picture.
  func picture(in data: Data, _ response: URLResponse?, at url: URL) throws -> Picture {
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard status == 200 else { throw StatusError(status: status) }
    let picture = try Picture(decoding: data)
    folder.keep(data, for: url)
    return picture
  }
}
