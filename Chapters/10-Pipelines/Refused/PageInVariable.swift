// The port line by line: the completion handler puts the page where the next line looks for it.

import Foundation

func send(_ url: URL, then completion: @escaping @Sendable (Data) -> Void) {}

func load(_ url: URL) -> Int {
  var page = Data()
  send(url) { page = $0 }
  // expected-error@-1 {{mutation of captured var 'page' in concurrently-executing code}}
  return page.count
}
