package verdict

import (
	"errors"
	"slices"

	"github.com/gsd-cli/gsd/internal/action"
	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/run"
)

// ReadRuns assesses the runs of a user, and warns if their records cannot be read. Which tasks they work on is known only with the
// report on the session; on may be nil.
func (p *Project) ReadRuns(user string, on *answer.Report, file *run.File) (run.Assessment, []problem.Warning) {
	records, err := file.Records()
	a := p.assess(on, records)
	if err == nil {
		return a, nil
	}
	w := problem.Warning{Code: answer.RunsProblem, Path: p.Session(user).RunsFile(), Says: problem.Reason(err)}
	if errors.Is(err, run.ErrUnreadable) {
		w.Code = answer.RunsDamaged
	}
	return a, []problem.Warning{w}
}

// RunList lists the runs of a user. It only reads.
func (p *Project) RunList(user string) (*answer.RunList, error) {
	file := p.RunFile(user)
	if _, err := file.Records(); err != nil && !errors.Is(err, run.ErrUnreadable) {
		return nil, problem.ReadFailed(p.Session(user).RunsFile(), p.Planning.Limit, err)
	}
	r, _ := p.Hydrate(user) // of a session that cannot be read, no conversation is offered
	a, warnings := p.ReadRuns(user, r, file)
	a.OnPlan(r.LivePlan())
	list := &answer.RunList{User: user, Warnings: p.Warnings(warnings)}
	for _, agentRun := range slices.Backward(a.Runs) {
		list.Runs = append(list.Runs, agentRun)
	}
	if len(list.Runs)+len(list.Warnings) == 0 && p.Planning.CheckWritable() == nil {
		list.Do = []action.Action{{Kind: action.StartRun}}
	}
	return list, nil
}

// RunFile is the file of the records of the runs beside a user's session, which is read when it is first asked for.
func (p *Project) RunFile(user string) *run.File {
	return run.Read(p.Session(user).WithFile, p.Planning.Budget())
}

// assess assesses the runs of a session; on, the report on it, may be nil. If there are none, no process is looked up.
func (p *Project) assess(on *answer.Report, records *run.Records) run.Assessment {
	if len(records.Runs) == 0 {
		return run.Assessment{}
	}
	return run.Assess(p.facts(on, records))
}

func (p *Project) facts(on *answer.Report, records *run.Records) run.Facts {
	f := run.Facts{Records: *records, Now: p.Now, Processes: p.Table(), Caller: p.Self()}
	if on != nil {
		f.Plan, f.InProgress = on.Plan.Path, answer.TasksInProgress(on.Session)
	}
	return f
}

// HasDirectory reports whether a user has a session directory. Commands check it first, because taking the guard makes one.
func (p *Project) HasDirectory(user string) bool {
	info, err := p.Planning.Root().Stat(p.Session(user).Path())
	return err == nil && info.IsDir()
}
