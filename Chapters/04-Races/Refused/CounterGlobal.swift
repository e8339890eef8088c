// A global variable that anyone may write from anywhere.

var views = 0
// expected-error@-1 {{var 'views' is not concurrency-safe because it is nonisolated global shared mutable state}}
// expected-note@-2 {{convert 'views' to a 'let' constant to make 'Sendable' shared state immutable}}
// expected-note@-3 {{add '@MainActor' to make var 'views' part of global actor 'MainActor'}}
// expected-note@-4 {{disable concurrency-safety checks if accesses are protected by an external synchronization mechanism}}

func view() {
  views += 1
}
