import Timers
import Workbook

await Chapter.timers.main()
