/// The files of a new chapter: one subject, on both sides, with the race that it is about.
struct ChapterSkeleton {
  let name: String
  let slug: String
  /// As in ``Workbook/Chapter/member``.
  let member: String
  let number: Int

  var links: [(path: String, to: String)] {
    [
      ("Explored/Pairs", "../Sources/Pairs"), ("Explored/Subjects", "../Sources/Subjects"),
      ("Explored/StandIns.swift", "../../Explored.swift"),
    ]
  }

  var texts: [(path: String, text: String)] {
    [
      ("Sources/Chapter.swift", declaration), ("Sources/\(name).docc/\(name).md", text),
      ("Sources/Pairs/Mechanisms.swift", mechanisms),
      ("Sources/Pairs/Tally/TallyPlain.swift", plain),
      ("Sources/Pairs/Tally/TallyLock.swift", lock),
      ("Sources/Pairs/Tally/TallyActor.swift", actor),
      ("Sources/Subjects/Subjects.swift", subjects),
      ("Sources/Subjects/Example.swift", subject), ("Demo/main.swift", demo),
      ("Tests/\(name)Tests.swift", suite),
    ]
  }

  private var declaration: String {
    """
    import \(name)Explored
    public import Workbook

    extension Chapter {
      /// TODO: What the chapter is about, in a sentence.
      public static let \(member) = Chapter(
        \(number), "\(name)", "TODO: what it is about, in a line",
        \(name).subjects, explored: \(name)Explored.subjects)
    }

    """
  }

  private var text: String {
    """
    # ``\(name)``

    TODO: What the reader can do after this chapter, in two lines.

    ## The problem

    TODO: Start from a real problem: the old code, as good engineers wrote it, and the symptom of what goes wrong.

    ```console
    $ swift run workbook demo \(slug)/example
    ```

    ## The model

    TODO: What happens, in one picture.

    ```text
    TODO
    ```

    ## The port

    TODO: In full: errors, cancellation and lifetime included, and what it costs.

    ## What the compiler says

    TODO: What it refuses, and what to do. What it accepts, and should not.

    ## Hazards

    ### TODO: At most five, each with the code of its cure

    ```swift
    func add() { count += 1 }
    ```

    ## Every schedule

    TODO: One exploration, and what it shows that a test does not. [All outcomes](Outcomes.md).

    ```console
    $ swift run workbook explore \(slug)/example
    ```

    ## When to keep the old way

    TODO

    ## Systems

    | | |
    | --- | --- |
    | needs | TODO |
    | with default isolation `MainActor` | TODO |
    | measured on Linux | TODO |
    | said of Apple | TODO |

    ## Predict, change, see

    TODO: A change to a file, which the reader predicts and then runs.

    ```console
    $ swift run \(slug)-demo
    $ swift test --filter \(name)Tests
    ```

    ## Exercises

    TODO

    """
  }

  private var mechanisms: String {
    """
    // What each type is made with: a namespace for each way.

    /// Nothing guards it.
    enum Plain {}
    /// An `NSLock`.
    enum Locked {}
    /// An actor.
    enum Isolated {}

    """
  }

  private var plain: String {
    """
    // TODO: Replace these three files by the chapter's first pair, and by what goes wrong.

    extension Plain {
      // Sendable is false on purpose: this races. It runs in a child process, or under the explorer, only.
      final class Tally: @unchecked Sendable {
        private(set) var count = 0

        func add() { count += 1 }
      }
    }

    """
  }

  private var lock: String {
    """
    import Foundation

    extension Locked {
      // Sendable because `number` is read and written under `lock` only.
      final class Tally: @unchecked Sendable {
        private let lock = NSLock()
        private var number = 0

        func add() { lock.withLock { number += 1 } }

        var count: Int { lock.withLock { number } }
      }
    }

    """
  }

  private var actor: String {
    """
    extension Isolated {
      actor Tally {
        private(set) var count = 0

        func add() { count += 1 }
      }
    }

    """
  }

  private var subjects: String {
    """
    import Workbook

    /// What the chapter plays and explores, in the order of its text.
    public let subjects: [Subject] = [.example]

    """
  }

  private var subject: String {
    """
    import Workbook

    extension Subject {
      // TODO: Call it by its problem, and name it in the text.
      static let example = Subject(
        "example",
        asks: "A and B each add 1 to a tally. What is lost?",
        right: .allowed("0 lost"),
        implementations: [
          .before("plain variable", .surprising("1 lost", "A overwrites what B wrote"), .race) {
            additions(to: Plain.Tally())
          }
          .code("TallyPlain.swift", "count += 1"),
          .before("NSLock") { additions(to: Locked.Tally()) }
            .code("TallyLock.swift", "lock.withLock"),
          .after("actor") { additions(to: Isolated.Tally()) }
            .code("TallyActor.swift", "actor Tally"),
        ])
    }

    /// What the implementations have in common: the subject drives them all by it.
    private protocol Tallying: AnyObject, Sendable {
      func add() async
      var count: Int { get async }
    }

    extension Plain.Tally: Tallying {}
    extension Locked.Tally: Tallying {}
    extension Isolated.Tally: Tallying {}

    /// A is stopped between its read and its write.
    private func additions(to tally: some Tallying) -> Encounter {
      Encounter(over: tally, stoppedAt: .store(1)) { _ in
        await tally.add()
      } outcome: { _, _ in
        "\\(2 - (await tally.count)) lost"
      }
    }

    """
  }

  private var demo: String {
    """
    import \(name)
    import Workbook

    await Chapter.\(member).main()

    """
  }

  private var suite: String {
    """
    import ChapterTesting
    import Testing
    import Workbook

    @testable import \(name)

    @Suite(.timeLimit(.minutes(30))) struct \(name)Tests {
      @Test(arguments: Chapter.\(member).demos.map(\\.name))
      func `what is claimed holds where A is stopped`(_ name: String) async throws {
        try await Chapter.\(member).expectClaims(of: name)
      }

      @Test(.explored, arguments: Chapter.\(member).scenarios.map(\\.name))
      func `exactly the declared outcomes under every schedule, and each can be replayed`(
        _ name: String
      ) async throws {
        try await Chapter.\(member).expectOutcomes(of: name)
      }

      @Test(arguments: Chapter.\(member).hazards.map(\\.id))
      func `a hazard ends alike in every run, and races where it says so`(_ id: String) async throws
      {
        try await Chapter.\(member).expectSameEnd(of: id)
      }

      @Test(arguments: subjects.map(\\.name))
      func `cures are right where A and B run at once`(_ name: String) async throws {
        try await Chapter.\(member).expectCures(of: name)
      }
    }

    """
  }
}
