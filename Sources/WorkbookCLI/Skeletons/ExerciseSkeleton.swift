/// The files of a new exercise, by name: an actor that awaits between reading and writing.
let exerciseTexts: [(path: String, text: String)] = [
  (
    "README.md",
    """
    # TODO: A title

    10 minutes · TODO: after [the chapter](../../../Chapters)

    TODO: The situation, and what to do.

    ## Hints

    1. TODO: Where to look.
    2. TODO: What happens there.
    3. TODO: Nearly the answer.

    """
  ),
  (
    "Start.swift",
    """
    /// Counts what comes in; the check uses `add(after:)` and `count`.
    actor Tally {
      private(set) var count = 0

      // TODO: Let no addition be lost.
      func add(after wait: @Sendable () async -> Void) async {
        let old = count
        await wait()
        count = old + 1
      }
    }

    """
  ),
  (
    "Solution.swift",
    """
    /// Counts what comes in; the check uses `add(after:)` and `count`.
    actor Tally {
      private(set) var count = 0

      // region add
      func add(after wait: @Sendable () async -> Void) async {
        await wait()
        count += 1
      }
      // endregion
    }

    """
  ),
  (
    "Check.swift",
    """
    import ExerciseChecking
    import Testing

    @testable import Answer

    @Test func `two additions are two, whatever the order`() async {
      await everyOrder(gives: 2) {
        let tally = Tally()
        await withDiscardingTaskGroup { group in
          for name in ["A", "B"] {
            group.addTask(name: name) { await tally.add { await Task.yield() } }
          }
        }
        return await tally.count
      }
    }

    """
  ),
  (
    "Mutants/ReadsTwice.swift",
    """
    // Looks right: the value is read again. Wrong: it is read before the wait again.

    extension Tally {
      // region add
      func add(after wait: @Sendable () async -> Void) async {
        var next = count
        next = count + 1
        await wait()
        count = next
      }
      // endregion
    }

    """
  ),
  (
    "Mutants/YieldsFirst.swift",
    """
    // Looks right: others go first. Wrong: others come in during the wait, too.

    extension Tally {
      // region add
      func add(after wait: @Sendable () async -> Void) async {
        await Task.yield()
        let old = count
        await wait()
        count = old + 1
      }
      // endregion
    }

    """
  ),
]
