#if EXPLORED
  import ControlledDispatch
#else
  import Foundation
#endif

// Sendable because `uploaded` is read and written under `lock` only.
public final class UploadLogLock: UploadLog, @unchecked Sendable {
  private let lock = NSLock()
  private var uploaded: [String] = []

  public init() {}

  public func append(_ name: String, beforeWriting pause: @Sendable () -> Void) {
    lock.withLock {
      pause()
      uploaded.append(name)
    }
  }

  public var names: [String] { lock.withLock { uploaded } }
}
