import Dispatch
import Workbook

extension Subject {
  static let requestContext = Subject(
    "request-context",
    asks: "Code runs for request 7. Which of the code that it starts knows that?",
    right: .forbidden("own queue 7, targeting queue 7, global queue 7"),
    .forbidden("own task 7, child 7, Task 7, detached 7, global queue 7"),
    implementations: [
      .before(
        "queue-specific data", .allowed("own queue 7, targeting queue 7, global queue none")
      ) { _ in
        let queue = Queued.RequestContext.queue(for: 7)
        let targeting = DispatchQueue(label: "reply", target: queue)
        let own = queue.sync { Queued.RequestContext.request }
        let inTargeting = targeting.sync { Queued.RequestContext.request }
        let inGlobal = await withCheckedContinuation { continuation in
          queue.async {
            DispatchQueue.global().async {
              continuation.resume(returning: Queued.RequestContext.request)
            }
          }
        }
        return "own queue \(own.phrase), targeting queue \(inTargeting.phrase), "
          + "global queue \(inGlobal.phrase)"
      }
      .code("RequestContextQueue.swift", "let queue = DispatchQueue"),
      .after(
        "task-local value",
        .allowed("own task 7, child 7, Task 7, detached none, global queue none")
      ) { _ in
        await Tasked.RequestContext.$request.withValue(7) {
          async let child = Tasked.RequestContext.request
          let task = Task { Tasked.RequestContext.request }
          let detached = Task.detached { Tasked.RequestContext.request }
          let inGlobal = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
              continuation.resume(returning: Tasked.RequestContext.request)
            }
          }
          let own = Tasked.RequestContext.request
          return "own task \(own.phrase), child \(await child.phrase), "
            + "Task \(await task.value.phrase), detached \(await detached.value.phrase), "
            + "global queue \(inGlobal.phrase)"
        }
      }
      .code("RequestContextTaskLocal.swift", "enum RequestContext"),
    ])
}

extension Int? {
  fileprivate var phrase: String { map(String.init) ?? "none" }
}
