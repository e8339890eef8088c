import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension PictureSource {
  /// Loads a picture.
  @concurrent @Sendable func load(_ url: URL) async throws -> Picture {
    if let stored = await folder.data(for: url), let picture = try? Picture(decoding: stored) {
      return picture
    }
    do {
      let (data, response) = try await session.data(from: url)
      return try picture(in: data, response, at: url)
    } catch let error as URLError where error.code == .cancelled {
      throw CancellationError()
    }
  }
}
