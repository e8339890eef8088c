// Enter from anywhere, as with a DispatchGroup: the group is handed to a callback that comes later.

func load(_ photo: String, later: (@escaping () -> Void) -> Void) async {
  await withTaskGroup(of: Void.self) { group in
    later { group.addTask {} }
    // expected-error@-1 {{escaping closure captures 'inout' parameter 'group'}}
    // expected-note@-3 {{parameter 'group' is declared 'inout'}}
    // expected-note@-3 {{captured here}}
  }
}
