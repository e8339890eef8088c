import PriorityInversion
import Workbook

await Chapter.priorityInversion.main()
