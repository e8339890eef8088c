#if EXPLORED
  import ControlledDispatch
#else
  import Interleaving
#endif

// It is Sendable because `Shared` says so of itself, and that is false on purpose: this races. It runs in
// a child process, or under the explorer, only.
public final class UploadLogUnsynchronised: UploadLog {
  private let uploaded = Shared<[String]>([], "uploaded")

  public init() {}

  /// `uploaded.append(name)`, with the read and the write of the variable apart.
  public func append(_ name: String, beforeWriting pause: @Sendable () -> Void) {
    var longer = uploaded.value
    pause()
    longer.append(name)
    uploaded.value = longer
  }

  public var names: [String] { uploaded.value }
}
