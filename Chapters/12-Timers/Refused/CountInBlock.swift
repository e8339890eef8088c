// The block that is called later counts in a variable of its caller, which goes on meanwhile.

import Dispatch

func countLater(on queue: DispatchQueue) -> Int {
  var count = 0
  queue.asyncAfter(deadline: .now() + 1) { count += 1 }
  // expected-error@-1 {{mutation of captured var 'count' in concurrently-executing code}}
  return count
}
