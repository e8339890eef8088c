// Half of the port: the operation stays, and an async function waits for it.

import Foundation

func load(_ fetch: Operation, in queue: OperationQueue) async {
  queue.addOperation(fetch)
  fetch.waitUntilFinished()
  // expected-error@-1 {{instance method 'waitUntilFinished' is unavailable from asynchronous contexts}}
}
