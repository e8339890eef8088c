#if EXPLORED
  import ControlledDispatch
  import struct Foundation.Data
  import struct Synchronization.Mutex
#else
  import Foundation
  import Synchronization
#endif
