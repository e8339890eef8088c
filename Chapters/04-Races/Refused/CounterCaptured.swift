// A local variable that two tasks write.

func count() async -> Int {
  var count = 0
  await withDiscardingTaskGroup { group in
    group.addTask { count += 1 }
    // expected-error@-1 {{passing closure as a 'sending' parameter risks causing data races}}
    // expected-note@-2 {{closure captures reference to mutable var 'count'}}
    group.addTask { count += 1 }
    // expected-error@-1 {{passing closure as a 'sending' parameter risks causing data races}}
    // expected-note@-2 {{closure captures reference to mutable var 'count'}}
  }
  return count
}
