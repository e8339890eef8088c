import DescriptorsExplored
public import Workbook

extension Chapter {
  /// Files, pipes and sockets: who is told of bytes, who of the end, and who closes.
  public static let descriptors = Chapter(
    13, "Descriptors", "files, pipes and sockets",
    Descriptors.subjects, explored: DescriptorsExplored.subjects,
    demos: [.hangUp, .hugeFile, .noRoom, .closedEarly, .slowReader, .urgentBehindRead])
}
