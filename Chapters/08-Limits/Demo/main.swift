import Limits
import Workbook

await Chapter.limits.main()
