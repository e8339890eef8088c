// Half of the port: the condition of the old channel, for which a task would hold its thread.

import Foundation

func next(_ condition: NSCondition, isEmpty: () -> Bool) async {
  condition.lock()
  // expected-error@-1 {{instance method 'lock' is unavailable from asynchronous contexts}}
  while isEmpty() { condition.wait() }
  // expected-error@-1 {{instance method 'wait' is unavailable from asynchronous contexts}}
  condition.unlock()
  // expected-error@-1 {{instance method 'unlock' is unavailable from asynchronous contexts}}
}
