/// A feature says by name what it needs to have run before; nobody sees all of them.
struct Feature: Sendable {
  let name: String
  let needs: [String]

  init(_ name: String, needs: [String] = []) {
    self.name = name
    self.needs = needs
  }
}
