import Interleaving
import OldPrograms

extension OldProgram {
  static let all = operations + queues + locks + threads + sources

  static let operations = [
    OldProgram(
      "operation told of by key: cancelled before its start", (.deadlock, "suspected"),
      wrong: ["64"], right: ["64", "nothing"], run: makeThumbnail),
    OldProgram(
      "operation behind a barrier queue: reports twice",
      wrong: ["[true]", "[false]", "[true, false]", "[false, true]", "[false, false]"],
      right: ["[true]", "[false]"], run: cancelUpload),
    OldProgram(
      "operation with a lock: tells of the change while it holds it", (.deadlock, "a cycle of 1"),
      wrong: [], right: ["true"], run: runImport),
    OldProgram(
      "operation that says when it is ready: dependencies are void",
      wrong: ["nothing", "200"], right: ["200"], run: sharpenDecoded),
    OldProgram(
      "operation with two flags: nothing guards them", (.race, "_executing"),
      wrong: ["true", "false"], right: ["true", "false"], run: watchBackup),
    OldProgram(
      "operation of a block: calls super.start()", wrong: ["nothing", "7"], right: ["7"],
      run: showFetched),
    OldProgram(
      "operation with a time limit: ends twice",
      wrong: [
        #"["answer(200)"]"#, #"["timedOut", "answer(200)"]"#, #"["answer(200)", "timedOut"]"#,
      ],
      right: [#"["answer(200)"]"#, #"["timedOut"]"#], run: sendRequest),
  ]

  static let queues = [
    OldProgram(
      "debouncer: not only on the main thread", (.race, "pending"), wrong: nil, right: ["1"],
      time: .passesWhenIdle, run: debounceTwoCalls),
    OldProgram(
      "dictionary behind a barrier queue: read and written back in two calls",
      wrong: ["1", "2"], right: ["2"], run: countWords),
    OldProgram(
      "stock behind barriers: on a global queue", (.race, "pieces"), wrong: ["1", "2"],
      right: ["2"], run: fillStock),
    OldProgram(
      "atomic property: += is a read and a write", wrong: ["1", "2"], right: ["2"],
      run: countVisits),
    OldProgram(
      "downloads: the group is entered too late", wrong: ["[]", "[1]", "[2]", "[1, 2]"],
      right: ["[1, 2]"], run: downloadPages),
    OldProgram(
      "import: the group is not left after an error", (.deadlock, "DispatchSemaphore"), wrong: [],
      right: ["1"], run: importFiles),
    OldProgram(
      "transfers: wait on the threads that they need", (.deadlock, "worker"), wrong: ["2"],
      right: ["2"], run: runTransfers),
    OldProgram(
      "database: an operation waits for the queue that it runs on",
      (.trap, "calls sync on queue database"), wrong: [], right: ["3"], run: insertRows),
    OldProgram(
      "session: asks, then acts", wrong: ["1", "2"], right: ["1"], run: signIn),
  ]

  static let locks = [
    OldProgram(
      "promise: a callback is forgotten", wrong: ["[]", "[7]"], right: ["[7]"], run: keepPromise),
    OldProgram(
      "throttler: nothing guards the last time", (.race, "last"), wrong: ["1", "2"], right: ["1"],
      run: throttleTwoCalls),
    OldProgram(
      "hosts behind a lock of readers: a reader writes", (.race, "hits"), wrong: ["1", "2"],
      right: ["2"], run: lookUpHost),
    OldProgram(
      "cache of what was used last: a key is entered twice", wrong: ["1", "2"], right: ["2"],
      run: fillCache),
    OldProgram(
      "events: a subscriber leaves the list while it is told", (.trap, "out of range"),
      wrong: ["[\"always\"]"], right: ["[\"always\"]", "[\"once\", \"always\"]"], run: postEvent),
  ]

  static let threads = [
    OldProgram(
      "window's title: the main thread waits for itself", (.trap, "calls sync on queue main"),
      wrong: [], right: [#"["main", "untitled"]"#, #"["other", "untitled"]"#], run: setTitle),
    OldProgram(
      "request's number: in the dictionary of another thread", wrong: [#"["nothing", "nothing"]"#],
      right: [#"["1", "2"]"#], run: logRequests),
    OldProgram(
      "mailbox with a condition: given back as if it were full",
      wrong: [#"["1", "nothing"]"#], right: [#"["1", "2"]"#], time: .passesWhenIdle,
      run: passLetters),
  ]

  static let sources = [
    OldProgram(
      "poller: released while it pauses", (.trap, "suspended"), wrong: [], right: ["2"],
      time: .passesWhenIdle, run: pollAndPause),
    OldProgram(
      "progress: events are counted that were merged", wrong: ["1", "2"], right: ["2"],
      time: .passesWhenIdle, run: mergeProgress),
  ]
}
