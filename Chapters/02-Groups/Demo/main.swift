import Groups
import Workbook

await Chapter.groups.main()
