/// A place of the grid. When it leaves the screen, it is used again for another picture. It belongs to the main queue.
// Sendable because `picture` is used on the main queue only. The main actor runs on that queue, so both kinds of grid
// may have cells.
final class PictureCell: @unchecked Sendable {
  var picture: Picture?
}
