// An object that is handed to a task and used here as well.

final class PageViews {
  var value = 0
}

func view() {
  let views = PageViews()
  Task { views.value += 1 }
  // expected-error@-1 {{sending value of non-Sendable type '() async -> ()' risks causing data races}}
  // expected-note@-2 {{Passing value of non-Sendable type}}
  views.value += 1
  // expected-note@-1 {{access can happen concurrently}}
}
