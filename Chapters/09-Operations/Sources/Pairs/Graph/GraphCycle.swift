/// Pieces that need one another, each the next, and the last the first; nil if there are none.
///
/// A search in depth, with a path of its own, so that a long chain does not use up the thread's stack.
func cycle(in pieces: [(name: String, needs: Set<String>)]) -> [String]? {
  let needs = Dictionary(uniqueKeysWithValues: pieces.map { ($0.name, $0.needs.sorted()[...]) })
  var isDone: Set<String> = []
  for piece in pieces where !isDone.contains(piece.name) {
    var path = [(name: piece.name, needs: needs[piece.name]!)]
    var onPath: Set = [piece.name]
    while let last = path.indices.last {
      guard let need = path[last].needs.popFirst() else {
        isDone.insert(path[last].name)
        onPath.remove(path.removeLast().name)
        continue
      }
      if onPath.contains(need) {
        return Array(path.map(\.name).drop { $0 != need })
      }
      guard !isDone.contains(need) else { continue }
      path.append((need, needs[need]!))
      onPath.insert(need)
    }
  }
  return nil
}
