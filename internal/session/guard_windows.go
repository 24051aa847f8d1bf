package session

// openFlags is empty: a link in the guard's place shows afterwards, as another file.
const openFlags = 0
