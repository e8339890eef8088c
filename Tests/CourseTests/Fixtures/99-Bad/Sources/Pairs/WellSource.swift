// No old side: both sides stand on it.
final class WellSource {}
