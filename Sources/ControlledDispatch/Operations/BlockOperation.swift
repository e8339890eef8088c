import Interleaving

/// The stand-in for Foundation's operation of one or more blocks.
///
/// Several blocks run beside each other, as its documentation says; Foundation on Linux may run them
/// one after another, which is one of the schedules.
open class BlockOperation: Operation, @unchecked Sendable {
  // Sendable: only the strand that has the turn uses it.
  private var blocks: [@Sendable () -> Void] = []

  /// Makes an operation without a block.
  public override init() { super.init() }

  /// Makes an operation of one block.
  public convenience init(block: @escaping @Sendable () -> Void) {
    self.init()
    blocks = [block]
  }

  /// The blocks in the order in which they were added.
  open var executionBlocks: [@Sendable () -> Void] { blocks }

  /// Adds a block; the operation must not have begun.
  open func addExecutionBlock(_ block: @escaping @Sendable () -> Void) {
    guard canBeChanged("adds a block to") else {
      Control.current(for: "BlockOperation").trap(
        "adds a block to \(title), which has begun or finished")
    }
    blocks.append(block)
  }

  open override func main() {
    let control = Control.current(for: "BlockOperation")
    guard blocks.count > 1 else {
      blocks.first?()
      return
    }
    let title = title
    let ends = blocks.enumerated().map { control.begin("\(title), block \($0 + 1)", $1).end }
    control.perform(VisibleOperation([], after: ends))
  }
}
