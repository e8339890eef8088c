/// A server that has left before its answer was whole.
struct UnfinishedAnswer: Error, Equatable {}
