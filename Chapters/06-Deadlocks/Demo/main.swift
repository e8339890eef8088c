import Deadlocks
import Workbook

await Chapter.deadlocks.main()
