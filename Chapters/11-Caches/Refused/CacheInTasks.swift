// Half of the port: the cache of old, handed to several tasks. It is thread-safe, and does not say so.

import Foundation

func prefetch(_ names: [String], into cache: NSCache<NSString, NSData>) {
  for name in names {
    Task { cache.setObject(NSData(), forKey: name as NSString) }
    // expected-error@-1 {{passing closure as a 'sending' parameter risks causing data races}}
    // expected-note@-2 {{closure captures 'cache'}}
  }
}
