import GroupsExplored
public import Workbook

extension Chapter {
  /// Work that is begun at once and gathered: all of it, the first of it, or what is there in time.
  public static let groups = Chapter(
    2, "Groups", "fan out and gather: all done, first to finish, in time",
    Groups.subjects, explored: GroupsExplored.subjects,
    demos: [.download, .goesOnRunning, .mirrors, .urgentWaiter])
}
