// A handler that is declared as @Sendable adds to a variable of its caller.

func answer(_ connect: (_ whenRead: @escaping @Sendable ([UInt8]) -> Void) -> Void) -> [UInt8] {
  var answer: [UInt8] = []
  connect { answer += $0 }
  // expected-error@-1 {{mutation of captured var 'answer' in concurrently-executing code}}
  return answer
}
