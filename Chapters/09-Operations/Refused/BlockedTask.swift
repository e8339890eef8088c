// A queue is waited for from an async function, whose thread other tasks need.

import Foundation

func publish(_ uploads: [Operation]) async {
  let queue = OperationQueue()
  for upload in uploads { queue.addOperation(upload) }
  queue.waitUntilAllOperationsAreFinished()
  // expected-error@-1 {{instance method 'waitUntilAllOperationsAreFinished' is unavailable from asynchronous contexts}}
}
