package durable

// A Step is one thing that a Writer does to the disk.
type Step string

// The steps, in the order in which Replace takes them. A file that is new is
// linked and unlinked where an old one is replaced by StepRename, because a
// rename overwrites and a link does not.
const (
	StepCreate  Step = "create"   // make the temporary, or open the file to append to
	StepWrite   Step = "write"    // one chunk
	StepMode    Step = "mode"     // owner and mode of the old file
	StepSync    Step = "sync"     // content to disk
	StepClose   Step = "close"    // a network file system reports here
	StepCheck   Step = "check"    // is it still the file that was read?
	StepRename  Step = "rename"   // the new file takes the name
	StepLink    Step = "link"     // a file gets a second name
	StepUnlink  Step = "unlink"   // and gives up the first
	StepRemove  Step = "remove"   // a file gives up its only name
	StepAppend  Step = "append"   // bytes are added to a file
	StepSyncDir Step = "sync dir" // names to disk
)

// A Writer changes files durably. The zero Writer is the one to use.
type Writer struct {
	// Before, where set, is called before each step; the step fails with the
	// error it returns. It is there for tests, which take a picture of the disk
	// (what a crash would leave) or let a step fail.
	Before func(Step) error

	lazy   bool
	shared bool
}

// Shared gives a Writer whose new files may be read and written by all who may do so in their directory, whatever the
// umask.
func (w Writer) Shared() Writer {
	w.shared = true
	return w
}

// Lazily gives a Writer that leaves it to the system when the bytes reach the disk: whoever looks still finds
// the old file or the new one, but a power cut may leave neither. It is for what can be done without.
func (w Writer) Lazily() Writer {
	w.lazy = true
	return w
}

// sync runs a step that brings something to disk.
func (w Writer) sync(s Step, do func() error) error {
	if w.lazy {
		return nil
	}
	return w.try(s, do)
}

func (w Writer) at(s Step) error {
	if w.Before == nil {
		return nil
	}
	return w.Before(s)
}

// try runs one step.
func (w Writer) try(s Step, do func() error) error {
	if err := w.at(s); err != nil {
		return err
	}
	return do()
}
