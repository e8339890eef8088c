import Deadlocks
import PriorityInversion
import Queues
import Races
import Workbook

/// The chapters that stand, in the order of the course.
let course: [Chapter] = [.queues, .races, .deadlocks, .priorityInversion]
