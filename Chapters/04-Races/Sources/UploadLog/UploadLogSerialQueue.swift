#if EXPLORED
  import ControlledDispatch
#else
  import Dispatch
#endif

// Sendable because `uploaded` is read and written on `queue` only.
public final class UploadLogSerialQueue: UploadLog, @unchecked Sendable {
  private let queue = DispatchQueue(label: "upload log")
  private var uploaded: [String] = []

  public init() {}

  public func append(_ name: String, beforeWriting pause: @Sendable () -> Void) {
    queue.sync {
      pause()
      uploaded.append(name)
    }
  }

  public var names: [String] { queue.sync { uploaded } }
}
