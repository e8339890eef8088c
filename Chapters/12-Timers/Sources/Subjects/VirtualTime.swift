import Workbook

extension Implementation {
  /// The same, explored as if all work took no time, and not played, because real time is not exact.
  var inVirtualTime: Implementation {
    whereWorkTakesNoTime.notPlayed("real time is not exact")
      .onlyReduced("reduced it has few schedules; a hundred others take up to a second")
  }
}
