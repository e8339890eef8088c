// A task cannot make itself more urgent by saying so: its priority is what it was given, or what others raised it to.

func hurry() {
  Task.currentPriority = .high
  // expected-error@-1 {{cannot assign to property: 'currentPriority' is a get-only property}}
}
