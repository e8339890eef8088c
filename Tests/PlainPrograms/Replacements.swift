public final class Node: Sendable {
  public let number: Int

  public init(_ number: Int) { self.number = number }
}

/// What two replace at once; it must be reported, and the process must live.
public final class Replaced: @unchecked Sendable {
  private var node = Node(0)
  private var text = "a text that is too long to be kept in place, of number 0"
  private var list = [0]
  private var byName = ["zero": 0]

  public init() {}

  public func replaceNode(_ number: Int) -> Int {
    node = Node(number)
    return node.number
  }

  public func replaceText(_ number: Int) -> Int {
    text = "a text that is too long to be kept in place, of number \(number)"
    return text.count
  }

  public func growList(_ number: Int) -> Int {
    for next in 0..<20 { list.append(number + next) }
    return list.count
  }

  public func growDictionary(_ number: Int) -> Int {
    for next in 0..<20 { byName["\(number).\(next)"] = next }
    return byName.count
  }
}
