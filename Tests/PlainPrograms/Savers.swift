/// Saves once, at one of its ticks, unless it is paused, or when its task is cancelled. It is explored only, where sleeping
/// takes no time.
public actor Saver {
  private var isPaused = false
  private var saved = 0

  private func run() async {
    for tick in 0... {
      do { try await Task.sleep(for: .seconds(3600 * tick)) } catch { break }
      await untilResumed()
      if Task.isCancelled { break }
      await save()
    }
    await save()
  }

  private func save() async {
    guard saved == 0 else { return }
    await Task { await Task.yield() }.value
    saved += 1
  }

  private func pause() { isPaused = true }

  private func untilResumed() async {
    while isPaused, !Task.isCancelled {
      for await _ in AsyncStream(Never.self, { _ in }) {}
    }
  }

  /// It is cancelled while it is paused.
  ///
  /// - Returns: How often it has saved.
  public static func closeWhilePaused() async -> Int {
    let saver = Saver()
    let loop = Task { await saver.run() }
    await saver.pause()
    loop.cancel()
    await loop.value
    return await saver.saved
  }
}
