import Workbook

extension Subject {
  static let oneTarget = Subject(
    "one-target",
    asks: "An invoice and a letter are filed at once, each by its own service. Is one lost?",
    right: .allowed("0 lost"),
    implementations: [
      .before(
        "a queue for each service",
        .surprising("1 lost", "two queues know nothing of one another").onlyPlayed, .race
      ) {
        let cabinet = Untargeted.Cabinet()
        return Encounter(over: cabinet, stoppedAt: .change(1)) {
          Untargeted.Invoices(cabinet: cabinet).file(1)
        } by: {
          Untargeted.Letters(cabinet: cabinet).file(1)
        } outcome: { _, _ in
          "\(2 - cabinet.count) lost"
        }
      }
      .code("CabinetWithoutTarget.swift", "struct Invoices"),
      .before("queues with one target") {
        let cabinet = Targeted.Cabinet()
        let (invoices, letters) = (
          Targeted.Invoices(in: cabinet), Targeted.Letters(in: cabinet)
        )
        return Encounter(over: cabinet, stoppedAt: .change(1)) {
          invoices.file(1)
        } by: {
          letters.file(1)
        } outcome: { _, _ in
          "\(2 - cabinet.count) lost"
        }
      }
      .code("CabinetTargetQueue.swift", "init(in cabinet"),
      .after("one actor") {
        let cabinet = Isolated.Cabinet()
        return Encounter(over: cabinet, stoppedAt: .change(1)) {
          await Isolated.Invoices(cabinet: cabinet).file(1)
        } by: {
          await Isolated.Letters(cabinet: cabinet).file(1)
        } outcome: { _, _ in
          "\(2 - (await cabinet.count)) lost"
        }
      }
      .code("CabinetActor.swift", "in cabinet: isolated"),
    ])
}
