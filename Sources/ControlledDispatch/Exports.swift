// A file that is compiled twice imports this module alone, and a hazard's variables are `Shared`.
@_exported import class Interleaving.Shared
