#if EXPLORED
  import ControlledDispatch
#else
  import Synchronization
#endif

public final class UploadLogMutex: UploadLog {
  private let uploaded = Mutex<[String]>([])

  public init() {}

  public func append(_ name: String, beforeWriting pause: @Sendable () -> Void) {
    uploaded.withLock { uploaded in
      pause()
      uploaded.append(name)
    }
  }

  public var names: [String] { uploaded.withLock { $0 } }
}
