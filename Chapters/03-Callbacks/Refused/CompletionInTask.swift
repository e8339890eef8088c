// An async function for callers that still pass a completion handler: the handler may belong to the caller's thread.

func person(_ id: Int) async -> String { "Ada" }

func person(_ id: Int, then completion: @escaping (String) -> Void) {
  Task { completion(await person(id)) }
  // expected-error@-1 {{passing closure as a 'sending' parameter risks causing data races between code in the current task and concurrent execution of the closure}}
  // expected-note@-2 {{closure captures 'completion' which is accessible to code in the current task}}
}
