import Foundation

/// Whether this program was built with `--sanitize=thread`.
public enum ThreadSanitizer {
  /// Whether the sanitizer's runtime is linked into this process.
  public static let isActive: Bool = {
    #if canImport(Darwin)
      let everywhere = UnsafeMutableRawPointer(bitPattern: -2)  // RTLD_DEFAULT; untested
    #else
      let everywhere: UnsafeMutableRawPointer? = nil  // RTLD_DEFAULT
    #endif
    return dlsym(everywhere, "__tsan_init") != nil
  }()
}
