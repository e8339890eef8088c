import ChapterTesting
import Dispatch
import Foundation
import Testing
import Workbook

@testable import Caches

/// One who has asked for a picture.
struct Asked: Sendable {
  let result: @Sendable () async -> Result<Picture, any Error>
  let set: @Sendable (Urgency) -> Void
  let cancel: @Sendable () -> Void

  /// The number of the picture; what went wrong otherwise.
  var told: String {
    get async {
      switch await result() {
      case .success(let picture): "\(picture.number)"
      case .failure(is CancellationError): "cancelled"
      case .failure(let error): "\(error)"
      }
    }
  }
}

/// A loader of either side. When it has been asked, the one who asks has been heard.
typealias Ask = @Sendable (URL, Urgency) async -> Asked

struct Form: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// Makes a loader over what loads for the old side, and what loads for the new one.
  private let make: @Sendable (Int, @escaping CallbackLoad, @escaping AsyncLoad) -> Ask

  func loader(width: Int = 2, _ desk: Desk) -> Ask { make(width, desk.load, desk.load) }
  func loader(width: Int = 2, _ source: PictureSource) -> Ask {
    make(width, source.load, source.load)
  }

  static let all = [
    Form(testDescription: "operations") { width, load, _ in
      let loader = Operated.PictureLoader(
        width: width, memory: SystemMemory(limit: 1_000_000), load: load)
      return { url, urgency in
        let results = Deliveries<Result<Picture, any Error>>()
        let ticket = loader.load(url, urgency) { result in
          dispatchPrecondition(condition: .onQueue(.main))
          results.append(result)
        }
        return Asked {
          let all = await results.wait(count: 1)
          return all[0]
        } set: {
          loader.set($0, of: ticket)
        } cancel: {
          loader.cancel(ticket)
        }
      }
    },
    Form(testDescription: "actor") { width, _, load in
      let loader = PictureLoader(width: width, memoryLimit: 1_000_000, load: load)
      return { url, urgency in
        let request = PictureRequest(url, urgency)
        let task = Task.immediate { try await loader.picture(for: request) }
        await settle(loader)
        return Asked {
          await task.result
        } set: {
          request.urgency = $0
        } cancel: {
          task.cancel()
        }
      }
    },
  ]
}

extension PictureSource {
  /// A source for a server of this process.
  static func patient(_ folder: URL) -> PictureSource {
    PictureSource(folder: PictureFolder(folder), connections: 4, silence: HTTPServer.patience)
  }
}
