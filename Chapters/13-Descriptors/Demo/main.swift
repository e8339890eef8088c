import Descriptors
import Workbook

await Chapter.descriptors.main()
