import Synchronization

public final class UploadLogMutex: UploadLog {
  private let uploaded = Mutex<[String]>([])

  public init() {}

  public func append(_ name: String) {
    uploaded.withLock { $0.append(name) }
  }

  public var names: [String] { uploaded.withLock { $0 } }
}
