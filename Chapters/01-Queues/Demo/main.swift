import Queues
import Workbook

await Chapter.queues.main()
