// Two child tasks that wait for each other: the second has no name yet where the first would await it.

func load(after other: Int) async -> Int { other + 1 }

func cycle() async -> Int {
  async let photos = load(after: await albums)
  // expected-error@-1 {{use of local variable 'albums' before its declaration}}
  async let albums = load(after: await photos)
  // expected-note@-1 {{'albums' declared here}}
  return await photos
}
