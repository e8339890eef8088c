// What a program's own target would hold beside it to be explored: the names of Dispatch and Operation stand for
// those of ControlledDispatch, so that not a line of the programs is about that.
import ControlledDispatch

typealias DispatchQueue = ControlledDispatch.DispatchQueue
typealias Operation = ControlledDispatch.Operation
typealias OperationQueue = ControlledDispatch.OperationQueue
