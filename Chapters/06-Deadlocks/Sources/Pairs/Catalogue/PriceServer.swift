/// Asks a server. It stands for any async function.
typealias PriceServer = @Sendable (_ item: String) async -> Int
