// The port line by line: an object leaves the actor that it belongs to.

final class ManagedUser {
  var name: String

  init(_ name: String) { self.name = name }
}

actor Store {
  private let ada = ManagedUser("Ada")

  func user() -> ManagedUser { ada }
}

func rename(in store: Store) async {
  let user = await store.user()
  // expected-error@-1 {{non-Sendable 'ManagedUser'-typed result can not be returned from actor-isolated instance method 'user()' to nonisolated context}}
  // expected-note@-15 {{class 'ManagedUser' does not conform to the 'Sendable' protocol}}
  user.name = "Bo"
}
