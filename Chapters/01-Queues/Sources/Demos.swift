import Workbook
extension Chapter { public static let queues = Chapter(1, "Queues", "x", demos: []) }
