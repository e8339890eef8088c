// Check and act from outside of the actor: the compiler does not let you write the act.

actor Account {
  var balance = 100
  // expected-note@-1 {{mutation of this property is only permitted within the actor}}
}

func withdraw(_ amount: Int, from account: Account) async {
  if await account.balance >= amount {
    account.balance -= amount
    // expected-error@-1 {{actor-isolated property 'balance' can not be mutated from a nonisolated context}}
    // expected-note@-2 {{consider declaring an isolated method on 'Account' to perform the mutation}}
  }
}
