import Caches
import Callbacks
import ConfinedState
import Deadlocks
import Descriptors
import Groups
import Limits
import Operations
import Pipelines
import PriorityInversion
import Queues
import Races
import ReadersWriters
import SystemEvents
import Timers
import Workbook

/// The chapters that stand, in the order of the course.
let course: [Chapter] = [
  .queues,
  .groups,
  .callbacks,
  .races,
  .readersWriters,
  .deadlocks,
  .priorityInversion,
  .limits,
  .operations,
  .pipelines,
  .caches,
  .timers,
  .descriptors,
  .systemEvents,
  .confinedState,
]
