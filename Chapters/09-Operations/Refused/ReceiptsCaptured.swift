// A block keeps its result in a variable of the function that has made it.

import Foundation

func publish(_ send: @escaping @Sendable () -> Int) {
  var receipts: [Int] = []
  let upload = BlockOperation { receipts.append(send()) }
  // expected-error@-1 {{mutation of captured var 'receipts' in concurrently-executing code}}
  OperationQueue().addOperations([upload], waitUntilFinished: true)
  print(receipts)
}
