/// The stand-in for Dispatch's quality of service: of no effect on what may happen.
public struct DispatchQoS: Equatable, Sendable {
  /// The classes.
  public enum QoSClass: CaseIterable, Sendable {
    case background, utility, `default`, userInitiated, userInteractive, unspecified
  }

  /// The class.
  public let qosClass: QoSClass
  /// The priority within the class.
  public let relativePriority: Int

  public init(qosClass: QoSClass, relativePriority: Int) {
    self.qosClass = qosClass
    self.relativePriority = relativePriority
  }

  public static let background = Self(qosClass: .background, relativePriority: 0)
  public static let utility = Self(qosClass: .utility, relativePriority: 0)
  public static let `default` = Self(qosClass: .default, relativePriority: 0)
  public static let userInitiated = Self(qosClass: .userInitiated, relativePriority: 0)
  public static let userInteractive = Self(qosClass: .userInteractive, relativePriority: 0)
  public static let unspecified = Self(qosClass: .unspecified, relativePriority: 0)
}
