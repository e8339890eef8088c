import Operations
import Workbook

await Chapter.operations.main()
