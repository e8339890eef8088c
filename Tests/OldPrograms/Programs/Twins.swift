/// Programs with the bug that is known of their kind.
enum Wrong {}

/// The same programs without it.
enum Right {}
