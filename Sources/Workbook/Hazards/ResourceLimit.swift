import Foundation

/// Of what this process, and each that it begins, may have so much and no more: setrlimit(2).
public enum ResourceLimit: Sendable {
  /// How many bytes a process may reserve or use.
  case addressSpace
  /// How many bytes a file may have that a process writes.
  case fileSize
  /// How many bytes of its memory a process may leave in a file when it crashes.
  case core
  /// Which number a descriptor is below.
  case descriptors

  /// Sets the limit, which only a privileged process can raise again.
  ///
  /// - Parameter most: In bytes, or how many; 0 or more.
  /// - Returns: Whether the system permits it: the limit may be lower already.
  @discardableResult
  public func set(to most: Int) -> Bool {
    let resource =
      switch self {
      case .addressSpace: RLIMIT_AS
      case .fileSize: RLIMIT_FSIZE
      case .core: RLIMIT_CORE
      case .descriptors: RLIMIT_NOFILE
      }
    var limit = rlimit(rlim_cur: rlim_t(most), rlim_max: rlim_t(most))
    #if canImport(Glibc)
      return setrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0
    #else
      return setrlimit(resource, &limit) == 0
    #endif
  }
}
