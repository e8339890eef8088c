#if EXPLORED
  import ControlledDispatch
  import Foundation
#else
  import Foundation
#endif
