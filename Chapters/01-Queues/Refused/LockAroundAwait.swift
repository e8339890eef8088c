// A lock that would be held while the function waits.

import Foundation

func save(_ lock: NSLock, _ upload: () async -> Void) async {
  lock.lock()
  // expected-error@-1 {{instance method 'lock' is unavailable from asynchronous contexts}}
  await upload()
  lock.unlock()
  // expected-error@-1 {{instance method 'unlock' is unavailable from asynchronous contexts}}
}
