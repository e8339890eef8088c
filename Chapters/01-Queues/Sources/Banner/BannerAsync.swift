/// Nothing to infer: the function says itself where it runs.
@MainActor
enum BannerAsync {
  @concurrent
  nonisolated static func prepare() async -> Place { .current }
}
