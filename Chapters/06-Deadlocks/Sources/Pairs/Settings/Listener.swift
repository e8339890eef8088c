/// Is told of a key whose value has changed, and may ask for the value.
typealias Listener = @Sendable (_ key: String) -> Void
