// A class that says it is safe to share, and is not.

final class PageViews: Sendable {
  var value = 0
  // expected-error@-1 {{stored property 'value' of 'Sendable'-conforming class 'PageViews' is mutable}}
}
