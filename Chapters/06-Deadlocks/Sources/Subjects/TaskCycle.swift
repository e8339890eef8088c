import Workbook

extension Subject {
  static let taskCycle = Subject(
    "task-cycle",
    asks: "Model needs Net, and Net needs Model. What does the resolver say?",
    right: .allowed("refused: Net"), .forbidden("Model Net"),
    implementations: [
      .after(
        "awaits the task in flight",
        .deadlock("each task awaits the other's value; no thread blocks")
      ) { stage in
        stage.aboutToBlock("await of the task for Model, in the task for Net")
        return await Waiting.Resolver(inACycle).needs(of: "Model").sorted()
          .joined(separator: " ")
      }
      .code("ResolverAwaitingInACycle.swift", "if let task")
      .alwaysWrong
      .watched("deadlock, confirmed: 2 tasks", "before the last await")
      .found(
        "a cycle of 2: task 1 waits for the value of task 1.1; task 1.1 waits for the value "
          + "of task 1"),
      .after("refuses to close a cycle") { _ in
        await answer { try await Checked.Resolver(inACycle).needs(of: "Model") }
      }
      .code("ResolverActor.swift", "while let waiter"),
    ])

  static let twoTaskCycle = Subject(
    "two-task-cycle",
    asks: "A asks for Model, B for Net, and each needs the other. What does the resolver say?",
    right: .allowed("both refused"), .forbidden("one refused"),
    implementations: [
      .after("awaits the task in flight", .deadlock("each task awaits the other's value")) {
        let resolver = Waiting.Resolver(inACycle)
        return Encounter(over: resolver, stoppedAt: .change(1)) {
          await resolver.needs(of: "Model")
        } by: {
          await resolver.needs(of: "Net")
        } outcome: { _, _ in
          "both found"
        }
      }
      .code("ResolverAwaitingInACycle.swift", "if let task")
      .alwaysWrong
      .watched("deadlock, confirmed: 2 tasks", "before the last await")
      .found(
        "a cycle of 2: task 1.1 waits for the value of task 2.1; task 2.1 waits for the value of task 1.1",
        "a cycle of 2: task 1.1 waits for the value of task 1.1.1; task 1.1.1 waits for the value of task 1.1",
        "a cycle of 2: task 2.1 waits for the value of task 2.1.1; task 2.1.1 waits for the value of task 2.1"
      ),
      .after("refuses to close a cycle") {
        let resolver = Checked.Resolver(inACycle)
        return Encounter(over: resolver, stoppedAt: .change(1)) {
          await answer { try await resolver.needs(of: "Model") }
        } by: {
          await answer { try await resolver.needs(of: "Net") }
        } outcome: { first, second in
          [first, second].allSatisfy { $0.hasPrefix("refused") } ? "both refused" : "one refused"
        }
      }
      .code("ResolverActor.swift", "while let waiter"),
    ])
}

private let inACycle = ["Model": ["Net"], "Net": ["Model"]]

private func answer(_ ask: () async throws -> Set<String>) async -> String {
  do {
    return try await ask().sorted().joined(separator: " ")
  } catch {
    return (error as? Checked.Resolver.Cycle).map { "refused: \($0.module)" } ?? "\(error)"
  }
}
