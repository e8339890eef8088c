import Caches
import Workbook

await Chapter.caches.main()
