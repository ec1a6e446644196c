import {
  allCommon,
  allowOption,
  byOption,
  type Description,
  failOn,
  formatOption,
  groupFormats,
  noWaitOption,
  schemaNames,
  shells,
  validateFormats,
} from './description.ts'
import { initDescription } from './initDescription.ts'
import { reportDescription } from './reportDescription.ts'
import { sandboxDescription } from './sandboxDescription.ts'

/** What help and completion say of each command. It is loaded for every command line, so it loads no package. */
export const descriptions = {
  init: initDescription,
  plan: {
    about:
      'Nothing is written to Plane. `--out` saves the plan for `apply`. `--detailed-exitcode` and `--fail-on held,undeclared,…` set the exit code.',
    options: {
      format: formatOption,
      all: { type: 'boolean', describe: 'show each change, each hold and each unchanged mapping in a row of its own' },
      'max-length': {
        type: 'string',
        value: 'CHARACTERS',
        usually: '65536, what GitHub takes',
        describe: 'with --format markdown: how long the text may be, 30000 or more; GitLab takes 1000000, a step summary of GitHub 340000',
      },
      out: { type: 'string', value: 'FILE', describe: 'save the plan to this file, for "apply FILE"; - prints the saved form' },
      recorded: {
        type: 'string',
        value: 'FILE',
        describe: 'plan from a recording alone: no secret is read, and nothing is asked; - reads standard input',
      },
      'recorded-max-age': { type: 'string', value: 'DURATION', usually: '24h', describe: 'refuse an older recording' },
      base: {
        type: 'string',
        value: 'FILE',
        describe: 'with --recorded: show only what changes beside the declaration in this file or folder',
      },
      'base-ref': {
        type: 'string',
        value: 'REF',
        describe: 'the same beside this branch, tag or commit of the local git repository: its merge base, or the first parent of a merge',
      },
      owner: { type: 'string', value: 'NAME', describe: 'only what rules of this owner do; exit code and --fail-on count nothing else' },
      at: { type: 'string', value: 'DATE', usually: 'now', describe: 'with --recorded: plan as on this day, or at this moment in UTC' },
      declaration: {
        type: 'string',
        value: 'FILE',
        describe: 'the file or folder of the declaration, in place of that of the settings',
      },
      'detailed-exitcode': { type: 'boolean', describe: 'exit with 2 if there are changes' },
      'fail-on': {
        type: 'string',
        multiple: true,
        value: 'LIST',
        choices: failOn,
        isList: true,
        describe: 'exit with 2 if the plan has any of these',
      },
      allow: { ...allowOption, describe: 'show the plan as if the plan, set or change with this ID were approved; may be repeated' },
    },
    common: allCommon,
    examples: [
      { does: 'what would change, by the settings that are found', line: 'plane-group-sync plan' },
      {
        does: 'save the plan, then apply exactly this plan',
        line: 'plane-group-sync plan --out plan.json && plane-group-sync apply plan.json',
      },
      {
        does: 'in CI: a comment for the pull request; exit code 2 if a group is unknown',
        line: 'plane-group-sync plan -o markdown --fail-on held',
      },
      {
        does: 'in CI, without a key: what this declaration would change',
        line: 'plane-group-sync plan --recorded recording.json -o markdown',
      },
    ],
    exits: ['done', 'failed', 'pending', 'refused', 'usage', 'configuration'],
  },
  apply: {
    about:
      'It asks first, unless you add `--yes`. `--allow ID` approves exactly that plan, set or change. If a daemon runs, the command hands it the order, and the daemon plans and writes.',
    takes: [{ name: 'PLAN', optional: true }],
    options: {
      yes: { type: 'boolean', short: 'y', describe: 'write without asking' },
      allow: { ...allowOption, describe: 'approve the plan, set or change with this ID, this time only; may be repeated' },
      'no-wait': noWaitOption,
      format: formatOption,
      all: { type: 'boolean', describe: 'show each change and each hold in a row of its own' },
      by: byOption,
    },
    common: allCommon,
    examples: [
      { does: 'plan, show the plan, ask, write', line: 'plane-group-sync apply' },
      { does: 'write exactly the plan that "plan --out plan.json" saved', line: 'plane-group-sync apply plan.json --yes' },
      { does: 'the same through a pipe', line: 'plane-group-sync apply - --yes < plan.json' },
      { does: 'approve the change whose ID the plan shows', line: 'plane-group-sync apply --allow 2e6e3a15d68fd23db9b06e6eb306ed68' },
    ],
    exits: ['done', 'failed', 'refused', 'usage', 'configuration'],
  },
  run: {
    about: 'The daemon runs a cycle at each tick of `schedule`, and serves probes and metrics.',
    options: {
      once: { type: 'boolean', describe: 'run one cycle, then exit; beside a daemon, the daemon runs it' },
      'dry-run': { type: 'boolean', short: 'n', describe: 'plan in every cycle, but never write' },
      'no-wait': noWaitOption,
      by: byOption,
    },
    common: allCommon,
    examples: [
      { does: 'run until SIGTERM; SIGHUP starts a cycle', line: 'plane-group-sync run' },
      { does: 'see what it would do, without a write', line: 'plane-group-sync run --once --dry-run' },
      { does: 'from a job of cron, with one line of log for each change', line: 'plane-group-sync run --once --log-level change' },
    ],
    exits: ['done', 'failed', 'refused', 'usage', 'configuration'],
  },
  reconcile: {
    about:
      'If a daemon runs, it runs the cycle, and the command ends with its report. Without a daemon it does what `run --once` does, and also prints the report.',
    options: {
      format: formatOption,
      all: { type: 'boolean', describe: 'show each change and each hold in a row of its own' },
      by: byOption,
    },
    common: allCommon,
    examples: [
      { does: 'let the daemon run a cycle now, and see what it did', line: 'plane-group-sync reconcile' },
      { does: 'the same for one workspace', line: 'plane-group-sync reconcile --workspace acme' },
    ],
    exits: ['done', 'failed', 'refused', 'usage', 'configuration'],
  },
  status: {
    about:
      'It reads what the daemon leaves beside the journal after each cycle, and asks neither Plane nor a directory. It exits with 1 if no daemon holds the journal, or if two cycles are missed.',
    options: {
      format: { ...formatOption, choices: groupFormats },
      owner: { type: 'string', value: 'NAME', describe: 'only what waits or is held because of rules of this owner' },
      all: { type: 'boolean', describe: 'show each hold in a row of its own' },
    },
    common: allCommon,
    examples: [
      { does: 'what waits, since when, and the command that lets it pass', line: 'plane-group-sync status' },
      { does: 'only the rules of one team', line: 'plane-group-sync status --owner team-pay' },
      {
        does: 'the IDs that wait for approval, for a program',
        line: 'plane-group-sync status -o json | jq -r \'.last.workspaces[].plan.holds[]? | select(.reason.kind == "approval") | .change.id\'',
      },
    ],
    exits: ['done', 'failed', 'usage', 'configuration'],
  },
  doctor: {
    about:
      'One line a check, and below it what is wrong and the cure. Only requests that create nothing are sent, at most 12 for a workspace besides pages. If a daemon runs, it makes the checks within its budget. Without `--workspace` all workspaces are looked at if there are at most five; more need `--all-workspaces`. It exits with 1 if a finding is an error or a warning.',
    options: {
      'all-workspaces': {
        type: 'boolean',
        describe: 'look at all workspaces, however many; it says first how many calls and minutes that takes',
      },
      fresh: { type: 'boolean', describe: 'ask Plane and the directories without the daemon that runs' },
      format: { ...formatOption, choices: groupFormats },
      all: { type: 'boolean', describe: 'show each check in a line of its own, also where many workspaces are well' },
      by: byOption,
    },
    common: allCommon,
    examples: [
      { does: 'what is wrong here, and what to do', line: 'plane-group-sync doctor' },
      { does: 'the same for one workspace', line: 'plane-group-sync doctor --workspace acme' },
      {
        does: 'the codes of what is wrong, for a program',
        line: 'plane-group-sync doctor -o json | jq -r \'.checks[].findings[] | select(.severity != "info") | .code\'',
      },
    ],
    exits: ['done', 'failed', 'usage', 'configuration'],
  },
  approve: {
    about:
      'It prints YAML for a file that may have waivers (docs/guards.md); nothing is written. It needs `--reason`, and an ID that the plan shows, or `--withdraw`. Beside a daemon the plan is that of its last cycle; without one it is made afresh. `--now` hands the approval to the daemon instead.',
    takes: [{ name: 'ID', optional: true, many: true, waits: true }],
    options: {
      for: {
        type: 'string',
        value: 'DURATION',
        usually: '24h, 1h with --now',
        describe: 'how long the approval counts, up to 720h, or 24h with --now',
      },
      reason: { type: 'string', value: 'TEXT', describe: 'why; required' },
      now: { type: 'boolean', describe: 'hand the approval to the running daemon; at a terminal it shows what passes, and asks' },
      yes: { type: 'boolean', short: 'y', describe: 'with --now: approve without asking' },
      withdraw: { type: 'string', value: 'NAME', describe: 'end this approval of the running daemon; status shows its name' },
      by: byOption,
    },
    common: allCommon,
    examples: [
      {
        does: 'a waiver that lets a change pass for a day, as a file of the declaration',
        line: 'plane-group-sync approve 9d41b7f02c6e4a8d9b3f5e7a1c0d2e4f --reason INC-99 > inc-99.yaml && mv inc-99.yaml groups/platform/',
      },
      {
        does: 'let it pass for an hour, in the next cycle of the daemon',
        line: 'plane-group-sync approve 9d41b7f02c6e4a8d9b3f5e7a1c0d2e4f --now --for 1h --reason INC-99',
      },
    ],
    exits: ['done', 'failed', 'refused', 'usage', 'configuration'],
  },
  validate: {
    about: 'It needs no secret, and shows every mistake with its line.',
    options: {
      format: { ...formatOption, choices: validateFormats, describe: 'output format; github: annotations of a workflow' },
      ceiling: {
        type: 'string',
        value: 'FENCE',
        describe: 'also show the most that the present texts of this fence can give, and the most that it allows',
      },
    },
    common: ['config', 'quiet'],
    examples: [
      { does: 'the settings that are found, and their declaration', line: 'plane-group-sync validate' },
      { does: 'in a pull request: annotations at the lines', line: 'plane-group-sync validate -o github' },
      { does: 'the most that the present files of a team can give', line: "plane-group-sync validate --ceiling 'teams/pay/**'" },
      { does: 'other settings', line: 'plane-group-sync validate -c staging.yaml' },
    ],
    exits: ['done', 'failed', 'usage', 'configuration'],
  },
  export: {
    about:
      'The plan for it has no changes. `--removed` and `--renamed` print lines for the files that declare the workspace: their plan has the deletes or the renames.',
    options: {
      undeclared: { type: 'boolean', describe: 'only rules for mappings that no rule declares' },
      removed: { type: 'boolean', describe: 'only entries of "removed" that delete these mappings' },
      renamed: { type: 'boolean', describe: 'only the rules of groups that have another name in their directory now, with that name' },
    },
    common: allCommon,
    examples: [
      { does: 'begin with what exists', line: 'plane-group-sync export -w acme > groups.yaml' },
      { does: 'rules for the mappings that were made by hand since', line: 'plane-group-sync export -w acme --undeclared' },
      {
        does: 'entries that delete these mappings',
        line: 'plane-group-sync export -w acme --removed > clean-up.yaml && mv clean-up.yaml groups/',
      },
      { does: 'the rules of groups that were renamed, with the new names', line: 'plane-group-sync export -w acme --renamed' },
    ],
    exits: ['done', 'failed', 'usage', 'configuration'],
  },
  record: {
    about:
      'It has what a plan is made from: mappings, projects, groups, what the journal knows, and the settings that decide. A daemon makes it from what it read last. Without one, the command asks Plane and the directories. It has no secret and no person, but it describes all access: keep it where that may be read (docs/pull-requests.md).',
    options: {
      out: { type: 'string', value: 'FILE', describe: 'save it to this file, which only its owner may read; - prints it. Required' },
      'no-memberships': { type: 'boolean', describe: 'leave out how many people groups share: plans from it then know no people' },
      'declared-groups': {
        type: 'boolean',
        describe: 'only groups that the present declaration can mean: plans from it hold what means others',
      },
      fresh: {
        type: 'boolean',
        describe: 'ask Plane and the directories for all, also beside a daemon, which else answers with what it read last',
      },
      by: byOption,
    },
    common: ['config', 'quiet', 'log-level', 'log-format'],
    examples: [
      { does: 'a recording for the plans of pull requests', line: 'plane-group-sync record --out recording.json' },
      { does: 'without who shares groups with whom', line: 'plane-group-sync record --out recording.json --no-memberships' },
    ],
    exits: ['done', 'failed', 'usage', 'configuration'],
  },
  groups: {
    options: {
      directory: { type: 'string', value: 'NAME', describe: 'only this directory' },
      match: { type: 'string', value: 'TEXT', describe: 'only groups whose name or label contains this text' },
      expect: { type: 'boolean', describe: 'print the setting "expect" for each directory, from the groups that it has now' },
      transcript: {
        type: 'string',
        value: 'FILE',
        describe: 'write the shape of the answers of directories over HTTP to a file, without names, ids and hosts; - only prints it',
      },
      format: { ...formatOption, choices: groupFormats },
    },
    common: ['config', 'quiet', 'log-level', 'log-format', 'no-color'],
    examples: [
      { does: 'the groups for on-call, as rules can name them', line: 'plane-group-sync groups --match oncall' },
      { does: 'what a complete reading must have, as settings to choose from', line: 'plane-group-sync groups --expect' },
      {
        does: 'help to verify a kind: what Entra answers, as a file without names, to read and to give away',
        line: 'plane-group-sync groups --directory entra --transcript entra.json',
      },
      {
        does: 'the names of one directory, for a program',
        line: "plane-group-sync groups --directory corp -o json | jq -r '.directories[].groups[].name'",
      },
    ],
    exits: ['done', 'failed', 'usage', 'configuration'],
  },
  who: {
    about:
      'Nothing is written to Plane. The directories say who the members of groups are, so at least one needs the setting `people`, or is a file with `members`. Roles that a person has by hand in Plane are not seen.',
    takes: [{ name: 'PERSON' }],
    options: { format: { ...formatOption, choices: groupFormats } },
    common: allCommon,
    examples: [
      { does: 'the roles of a person, today and after the plan', line: 'plane-group-sync who ann@example.com' },
      {
        does: 'the projects in which a person gets another role, for a program',
        line: "plane-group-sync who ann@example.com -o json | jq '.workspaces[].roles[] | select(.before != .after)'",
      },
    ],
    exits: ['done', 'failed', 'usage', 'configuration'],
  },
  explain: {
    about:
      'It says which rule decides, what holds it, and what Plane and the directories have; if no rule does, which rule comes nearest, and why it does not count. TARGET is `workspace`, `allProjects`, or the identifier of a project. Nothing is written to Plane.',
    takes: [
      { name: 'WORKSPACE', isWorkspace: true },
      { name: 'TARGET', choices: ['workspace', 'allProjects'] },
      { name: 'GROUP', choices: [] },
    ],
    options: {
      format: { ...formatOption, choices: groupFormats },
      recorded: {
        type: 'string',
        value: 'FILE',
        describe: 'explain from a recording alone: no secret is read, and nothing is asked; - reads standard input',
      },
      fresh: { type: 'boolean', describe: 'ask Plane and the directories, also beside a daemon, which else says what it has read' },
      'recorded-max-age': { type: 'string', value: 'DURATION', usually: '24h', describe: 'refuse an older recording' },
      at: { type: 'string', value: 'DATE', usually: 'now', describe: 'with --recorded: explain as on this day, or at this moment in UTC' },
      declaration: {
        type: 'string',
        value: 'FILE',
        describe: 'with --recorded: the file or folder of the declaration, in place of that of the settings',
      },
      by: byOption,
    },
    common: ['config', 'quiet', 'log-level', 'log-format', 'no-color'],
    examples: [
      { does: 'why a group has its role in a project, or why it has none', line: 'plane-group-sync explain acme ENG engineering' },
      { does: 'the same for its role in the workspace itself', line: 'plane-group-sync explain acme workspace it-leads' },
      {
        does: 'the rules that give a group its role in all projects, for a program',
        line: "plane-group-sync explain acme allProjects all-staff -o json | jq '.claims[].because.at'",
      },
    ],
    exits: ['done', 'failed', 'usage', 'configuration'],
  },
  report: reportDescription,
  schema: {
    about: 'A YAML editor completes and checks a file with it, and a program checks a document.',
    takes: [{ name: schemaNames.join('|'), choices: schemaNames }],
    options: {},
    common: [],
    examples: [
      { does: 'a schema beside the declaration, for an editor', line: 'plane-group-sync schema declaration > declaration.schema.json' },
      { does: 'the schema of the settings', line: 'plane-group-sync schema settings' },
      { does: 'the schema of the document that plan -o json prints', line: 'plane-group-sync schema plan' },
    ],
    exits: ['done', 'usage'],
  },
  sandbox: sandboxDescription,
  completion: {
    about: 'It completes commands, options, values and files.',
    takes: [{ name: 'bash|zsh|fish', choices: shells }],
    options: {},
    common: [],
    examples: [
      { does: 'bash: in ~/.bashrc', line: 'source <(plane-group-sync completion bash)' },
      { does: 'zsh: in ~/.zshrc, after compinit', line: 'source <(plane-group-sync completion zsh)' },
      { does: 'fish', line: 'plane-group-sync completion fish > ~/.config/fish/completions/plane-group-sync.fish' },
    ],
    exits: ['done', 'usage'],
  },
} satisfies Readonly<Record<string, Description>>
