// The port line by line: children that write into the parent's array.

func load(_ names: [String], fetch: @escaping @Sendable (String) async -> Int) async -> [Int] {
  var photos = Array(repeating: 0, count: names.count)
  await withTaskGroup(of: Void.self) { group in
    for (index, name) in names.enumerated() {
      group.addTask { photos[index] = await fetch(name) }
      // expected-error@-1 {{passing closure as a 'sending' parameter risks causing data races}}
      // expected-note@-2 {{closure captures reference to mutable var 'photos'}}
    }
  }
  return photos
}
