import Races
import Workbook

await Chapter.races.main()
