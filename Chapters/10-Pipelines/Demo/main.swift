import Pipelines
import Workbook

await Chapter.pipelines.main()
