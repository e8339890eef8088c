/// The number of the request that code works for, kept by the task that it runs in.
public enum RequestContextTaskLocal {
  @TaskLocal public static var request: Int?
}
