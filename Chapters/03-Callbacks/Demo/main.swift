import Callbacks
import Workbook

await Chapter.callbacks.main()
