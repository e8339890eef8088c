// A shared instance whose class nobody guards: the initialisation would be safe, and the contents are not.

final class PhotoManager {
  static let shared = PhotoManager()
  // expected-error@-1 {{static property 'shared' is not concurrency-safe because non-'Sendable' type 'PhotoManager' may have shared mutable state}}
  // expected-note@-2 {{add '@MainActor' to make static property 'shared' part of global actor 'MainActor'}}
  // expected-note@-3 {{disable concurrency-safety checks if accesses are protected by an external synchronization mechanism}}
  // expected-note@-5 {{class 'PhotoManager' does not conform to the 'Sendable' protocol}}

  private(set) var photos: [String] = []
}
