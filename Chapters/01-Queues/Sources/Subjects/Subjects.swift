import Workbook

/// What the chapter plays and explores, in the order of its text.
public let subjects: [Subject] = [
  .whoWaits, .taskStart, .startOrder, .inFlight, .runLater, .cancelledWorkItem, .requestContext,
  .oneTarget, .syncOnOwnQueue, .mainWaits, .wrongQueueRace,
  .staleOverlay,
]
