import Dispatch
import Workbook

extension Subject {
  static let taskStart = Subject(
    "task-start",
    asks: "Code on the main queue starts work for the main queue. Which comes first?",
    right: .allowed("caller, work"),
    implementations: [
      .before("main.async") { _ in
        let order = Transcript()
        await withCheckedContinuation { continuation in
          DispatchQueue.main.async {
            DispatchQueue.main.async {
              order.say("work")
              continuation.resume()
            }
            order.say("caller")
          }
        }
        return order.steps.joined(separator: ", ")
      }
      .code("TaskStart.swift", "DispatchQueue.main.async"),
      .after("Task") { _ in
        await orderOfStart { work in Task { @MainActor in work() } }
      }
      .code("TaskStart.swift", "await orderOfStart { work in Task {"),
      .after(
        "Task.immediate",
        .surprising("work, caller", "it runs at once, until it first has to wait")
      ) { _ in
        await orderOfStart { work in Task.immediate { @MainActor in work() } }
      }
      .code("TaskStart.swift", "await orderOfStart { work in Task.immediate")
      .alwaysWrong,
    ])
}

@MainActor
private func orderOfStart(
  _ start: (@escaping @MainActor @Sendable () -> Void) -> Task<Void, Never>
) async -> String {
  let order = Transcript()
  let work = start { order.say("work") }
  order.say("caller")
  await work.value
  return order.steps.joined(separator: ", ")
}
