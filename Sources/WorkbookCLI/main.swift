import Workbook

await Program.run(course) { arguments in
  try await WorkbookCommand(course: course, terminal: .standardOutput).run(arguments)
}
