/// What the photos of an album take.
struct Usage: Hashable, Sendable {
  var photos = 0
  var bytes = 0
}
