import ConfinedState
import Workbook

await Chapter.confinedState.main()
