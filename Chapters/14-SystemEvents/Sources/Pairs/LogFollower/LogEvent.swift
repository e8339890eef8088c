/// What a follower of a log tells, in order.
enum LogEvent: Equatable, Sendable {
  /// A line, without its end.
  case line(String)
  /// The beginning of a line that is longer than the limit; the rest is dropped.
  case longLine(String)
  /// The last line of a file that has no end and will get none.
  case unfinished(String)
  /// The file that is read has another name now, or none. The follower reads on in it until the new file has bytes.
  case rotated(to: String?)
  /// The file became shorter than what had been read. It is read from its start.
  case truncated
}
