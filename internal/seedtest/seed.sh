# The functions of the original script, as written (seed 001, sections 2 to 8). Who the user is comes from $GSD_USER.
get_session_user() { echo "$GSD_USER"; }

# Full hydration sequence
hydrate_session() {
  local user plan_path session_file current_phase plan_phase

  # Step 1: Get user identity
  user=$(get_session_user)

  # Step 2: Locate session file
  session_file=".planning/sessions/${user}/current-plan.md"

  # Step 3: Check existence
  if [ ! -f "$session_file" ]; then
    echo "NO_SESSION"
    return 1
  fi

  # Step 4: Validate - extract plan path from header
  plan_path=$(grep -m1 '^<!-- Plan:' "$session_file" | sed 's/.*Plan: \(.*\) -->/\1/')

  # Get current phase from ROADMAP.md
  current_phase=$(grep -E '^\|.*In progress' .planning/ROADMAP.md | head -1 | grep -oE '[0-9]+' | head -1)

  # Get phase from session file path
  plan_phase=$(echo "$plan_path" | grep -oE '[0-9]+-' | head -1 | tr -d '-')

  # Check if stale (session references different phase than current)
  if [ "$plan_phase" != "$current_phase" ]; then
    echo "STALE"
    return 2
  fi

  # Step 5-6: Parse and return resume point
  parse_resume_point "$session_file"
}

# Extract all task statuses
parse_task_statuses() {
  local file="$1"
  grep -E '<task[^>]*status=' "$file" \
    | sed 's/.*status="\([^"]*\)".*/\1/'
}

# Get task names and their statuses
parse_tasks_with_status() {
  local file="$1"

  # Find task elements and extract both name and status
  grep -E '<task[^>]*status=' "$file" -A5 \
    | grep -E '(status=|<name>)' \
    | paste - - \
    | sed 's/.*status="\([^"]*\)".*<name>\(.*\)<\/name>.*/\2: \1/'
}

# Count tasks in each state
count_task_statuses() {
  local file="$1"

  echo "Complete: $(grep -c 'status="complete"' "$file")"
  echo "In progress: $(grep -c 'status="in-progress"' "$file")"
  echo "Pending: $(grep -c 'status="pending"' "$file")"
}

# Find first task to execute
parse_resume_point() {
  local file="$1"
  local task_num=0
  local resume_task=""

  # Read task statuses in order
  while IFS= read -r status; do
    task_num=$((task_num + 1))

    case "$status" in
      complete)
        # Task done, continue
        ;;
      in-progress|pending)
        # Found resume point
        resume_task="$task_num"
        break
        ;;
    esac
  done < <(parse_task_statuses "$file")

  if [ -z "$resume_task" ]; then
    echo "ALL_COMPLETE"
  else
    echo "$resume_task"
  fi
}

# Check if task was interrupted
check_interrupted_task() {
  local file="$1"

  if grep -q 'status="in-progress"' "$file"; then
    # Extract the in-progress task name
    local task_name
    task_name=$(grep -B5 'status="in-progress"' "$file" \
      | grep '<name>' \
      | sed 's/.*<name>\(.*\)<\/name>.*/\1/')

    echo "INTERRUPTED: $task_name"
    return 0
  fi

  return 1
}

# Check if session is stale
is_session_stale() {
  local session_file="$1"
  local plan_path started_ts

  # Extract header info
  plan_path=$(grep -m1 '^<!-- Plan:' "$session_file" | sed 's/.*Plan: \(.*\) -->/\1/')
  started_ts=$(grep -m1 '^<!-- Started:' "$session_file" | sed 's/.*Started: \(.*\) -->/\1/')

  # Check 1: Does the plan file still exist?
  if [ ! -f "$plan_path" ]; then
    echo "STALE: Plan file no longer exists"
    return 0
  fi

  # Check 2: Does a SUMMARY already exist for this plan?
  local summary_path="${plan_path/PLAN/SUMMARY}"
  if [ -f "$summary_path" ]; then
    echo "STALE: Plan already completed (SUMMARY exists)"
    return 0
  fi

  # Check 3: Is this plan in the current phase?
  local plan_phase current_phase
  plan_phase=$(echo "$plan_path" | grep -oE '/[0-9]+-' | head -1 | tr -d '/-')
  current_phase=$(grep -E '^\|.*In progress' .planning/ROADMAP.md 2>/dev/null \
    | head -1 | grep -oE '[0-9]+' | head -1)

  if [ -n "$current_phase" ] && [ "$plan_phase" != "$current_phase" ]; then
    echo "STALE: Phase has advanced (was $plan_phase, now $current_phase)"
    return 0
  fi

  # Check 4: Task count matches?
  local session_tasks plan_tasks
  session_tasks=$(grep -c '<task[^>]*type=' "$session_file")
  plan_tasks=$(grep -c '<task[^>]*type=' "$plan_path")

  if [ "$session_tasks" != "$plan_tasks" ]; then
    echo "STALE: Task count mismatch ($session_tasks vs $plan_tasks)"
    return 0
  fi

  # Session is valid
  return 1
}

# Handle stale session
handle_stale_session() {
  local session_dir="$1"
  local session_file="${session_dir}/current-plan.md"

  # Archive stale session (optional — could just delete)
  local archive_name="current-plan.$(date +%Y%m%d%H%M%S).stale"
  mv "$session_file" "${session_dir}/${archive_name}"

  echo "Archived stale session to ${archive_name}"
  echo "Ready for fresh bootstrap"
}

# Bootstrap fresh session from PLAN.md
bootstrap_session() {
  local plan_path="$1"    # Path to PLAN.md
  local session_dir="$2"  # User's session directory

  local user session_file timestamp

  user=$(get_session_user)
  session_file="${session_dir}/current-plan.md"
  timestamp=$(date -u +"%Y-%m-%dT%H:%M:%SZ")

  # Create session directory if needed
  mkdir -p "$session_dir"

  # Create header
  cat > "$session_file" << EOF
<!-- Session progress for ${user} -->
<!-- Plan: ${plan_path} -->
<!-- Started: ${timestamp} -->

EOF

  # Copy plan content with status="pending" injected
  # Transform: <task type="auto"> → <task type="auto" status="pending">
  sed 's/<task type="\([^"]*\)"/<task type="\1" status="pending"/g' \
    "$plan_path" >> "$session_file"

  echo "Bootstrapped session: $session_file"
}

# Complete bootstrap with validation
create_fresh_session() {
  local plan_path="$1"
  local user session_dir

  user=$(get_session_user)
  session_dir=".planning/sessions/${user}"

  # Validate plan exists
  if [ ! -f "$plan_path" ]; then
    echo "ERROR: Plan not found: $plan_path"
    return 1
  fi

  # Create session directory
  mkdir -p "$session_dir"

  # Bootstrap the session file
  bootstrap_session "$plan_path" "$session_dir"

  # Return session file path
  echo "${session_dir}/current-plan.md"
}

# Check for valid structure
validate_session_file() {
  local file="$1"

  # Must have header comment
  if ! grep -q '^<!-- Plan:' "$file"; then
    return 1
  fi

  # Must have at least one task
  if ! grep -q '<task' "$file"; then
    return 1
  fi

  # Must have status attributes (bootstrapped correctly)
  if ! grep -q 'status=' "$file"; then
    return 1
  fi

  return 0
}

# Detect mismatch
check_task_count() {
  local session_file="$1"
  local plan_path

  plan_path=$(grep -m1 '^<!-- Plan:' "$session_file" | sed 's/.*Plan: \(.*\) -->/\1/')

  local session_count plan_count
  session_count=$(grep -c '<task[^>]*type=' "$session_file")
  plan_count=$(grep -c '<task[^>]*type=' "$plan_path")

  if [ "$session_count" != "$plan_count" ]; then
    echo "MISMATCH: session has $session_count tasks, plan has $plan_count"
    return 1
  fi

  return 0
}

# Check if plan path is still valid
check_plan_path() {
  local session_file="$1"
  local plan_path

  plan_path=$(grep -m1 '^<!-- Plan:' "$session_file" | sed 's/.*Plan: \(.*\) -->/\1/')

  if [ ! -f "$plan_path" ]; then
    echo "INVALID: Plan no longer at $plan_path"
    return 1
  fi

  return 0
}

# Atomic write pattern
update_session_file() {
  local session_file="$1"
  local temp_file="${session_file}.tmp"

  # Write to temp file
  # ... modifications ...

  # Atomic move (rename is atomic on POSIX)
  mv "$temp_file" "$session_file"
}

# Mark a task as complete
mark_task_complete() {
  local session_file="$1"
  local task_num="$2"

  # Use sed to update the Nth task element
  # This finds the Nth occurrence of status="pending" or status="in-progress"
  # and changes it to status="complete"

  local count=0
  local temp_file="${session_file}.tmp"

  while IFS= read -r line; do
    count_tasks=$((count_tasks + 1))
    if [ "$count_tasks" -eq "$task_num" ]; then
      # Update this task's status
      echo "$line" | sed 's/status="[^"]*"/status="complete"/'
    else
      echo "$line"
    fi
  done < "$session_file" > "$temp_file"

  mv "$temp_file" "$session_file"
}

# Mark a task as in-progress (starting execution)
mark_task_in_progress() {
  local session_file="$1"
  local task_num="$2"

  # Similar pattern to mark_task_complete
  # Changes status="pending" to status="in-progress"
  sed -i.bak "s/\(<task[^>]*\)status=\"pending\"/\1status=\"in-progress\"/" \
    "$session_file"
}

# Update task status by task number (1-indexed)
update_task_status() {
  local session_file="$1"
  local task_num="$2"
  local new_status="$3"  # complete, in-progress, pending

  # Use awk for precise Nth-occurrence replacement
  awk -v n="$task_num" -v status="$new_status" '
    /<task[^>]*type=/ {
      count++
      if (count == n) {
        gsub(/status="[^"]*"/, "status=\"" status "\"")
      }
    }
    { print }
  ' "$session_file" > "${session_file}.tmp"

  mv "${session_file}.tmp" "$session_file"
}
