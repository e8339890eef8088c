import ReadersWriters
import Workbook

await Chapter.readersWriters.main()
