// The port line by line: each child writes its slot of an array, as each iteration did.

func previews(of files: [[UInt8]]) async -> [Int] {
  var previews = [Int](repeating: 0, count: files.count)
  await withDiscardingTaskGroup { group in
    for (index, file) in files.enumerated() {
      group.addTask { previews[index] = file.count }
      // expected-error@-1 {{passing closure as a 'sending' parameter risks causing data races}}
      // expected-note@-2 {{closure captures reference to mutable var 'previews'}}
    }
  }
  return previews
}
