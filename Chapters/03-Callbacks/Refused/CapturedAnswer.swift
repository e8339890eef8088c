// The port line by line: the completion handler puts the person where the next line looks for it.

import Foundation

func person(_ id: Int, then completion: @escaping @Sendable (String?) -> Void) {}

func name(of id: Int) -> String? {
  var name: String?
  person(id) { name = $0 }
  // expected-error@-1 {{mutation of captured var 'name' in concurrently-executing code}}
  return name
}
