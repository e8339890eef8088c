import Interleaving
public import Testing

extension Trait where Self == ConditionTrait {
  /// Skips a test where a sanitizer is linked, since the explorer then sees no plain accesses, atomics or locks.
  public static var requiresWatching: Self {
    .disabled(if: SwiftRuntime.isSanitized, "the sanitizer sees accesses in the explorer's stead")
  }
}
