import SystemEvents
import Workbook

await Chapter.systemEvents.main()
