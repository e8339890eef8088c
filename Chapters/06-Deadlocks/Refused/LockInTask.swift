// NSLock's lock() in an async function: the task may be resumed on another thread, and unlock there.

import Foundation

func refresh(_ lock: NSLock) async {
  lock.lock()
  // expected-error@-1 {{instance method 'lock' is unavailable from asynchronous contexts}}
  lock.unlock()
  // expected-error@-1 {{instance method 'unlock' is unavailable from asynchronous contexts}}
}
