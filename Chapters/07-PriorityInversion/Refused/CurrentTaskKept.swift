// Who holds a lock cannot be raised later through the task that took it: its handle is for the moment only.

func raiseLater() {
  withUnsafeCurrentTask { task in
    _ = Task.detached { task?.escalatePriority(to: .high) }
    // expected-error@-1 {{passing closure as a 'sending' parameter risks causing data races}}
    // expected-note@-2 {{closure captures 'task' which is accessible to code in the current task}}
  }
}
