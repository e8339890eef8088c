// A result that is carried out of a block by a variable.

import Dispatch

func faces() -> [String] {
  var faces: [String] = []
  DispatchQueue.global().async {
    faces = ["Ann"]
    // expected-error@-1 {{mutation of captured var 'faces' in concurrently-executing code}}
  }
  return faces
}
