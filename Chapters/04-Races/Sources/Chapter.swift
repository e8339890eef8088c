import RacesExplored
public import Workbook

extension Chapter {
  /// Data races and the races that remain without one.
  public static let races = Chapter(
    4, "Races", "critical sections, lost updates, and the race that actors leave",
    Races.subjects, explored: RacesExplored.subjects)
}
