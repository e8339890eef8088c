import ConfinedStateExplored
public import Workbook

extension Chapter {
  /// State that belongs to a queue or to an actor: who may use it, who hears of changes, and when it is on the disk.
  public static let confinedState = Chapter(
    16, "ConfinedState", "contexts that belong to a queue",
    ConfinedState.subjects, explored: ConfinedStateExplored.subjects,
    demos: [.savedHowFar, .changeSets, .mainHeld, .mainWaitsForImport, .powerLoss])
}
