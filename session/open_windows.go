package session

// openFlags: nothing to add. A link put in the guard's place shows afterwards,
// as another file.
const openFlags = 0
