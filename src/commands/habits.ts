/** Words of other programs (kubectl, helm, terraform, gh), and the words of this program for the same. Messages about wrong command lines use them. */

const asPlan = 'plan shows what exists and what would change'
const asList = 'export shows the mappings of Plane, and groups those of the directories'
const asDaemon = 'run is the daemon; run --once ends after one cycle'
const asRemoval = 'list the mappings under "removed" in the declaration'
const asProbe = 'validate checks the files; plan also asks Plane and the directories'
const asKey = 'the settings name the API key: service.credential'

export const otherCommands: Readonly<Record<string, string>> = {
  auth: asKey,
  check: 'validate checks the files',
  config: 'validate checks the settings',
  daemon: asDaemon,
  delete: asRemoval,
  describe: 'plan --all shows each change',
  destroy: asRemoval,
  diff: 'plan shows the differences',
  doctor: asProbe,
  'dry-run': asPlan,
  explain: 'plan --all shows each change',
  get: asList,
  history: 'the journal has each write: the folder that journal.folder names',
  import: 'export prints the mappings of Plane as a declaration',
  init: 'export prints the mappings of Plane as a first declaration',
  lint: 'validate checks the files',
  list: asList,
  login: asKey,
  logs: 'run logs to standard error',
  preview: asPlan,
  refresh: 'plan and apply read everything afresh',
  rollback: 'apply an older version of the declaration',
  serve: asDaemon,
  show: asPlan,
  start: asDaemon,
  sync: 'apply writes the changes',
  test: asProbe,
  undo: 'apply an older version of the declaration',
  watch: asDaemon,
  whoami: asKey,
}

/** `needs`: the option of this program that the command must have. */
type Habit = { readonly needs?: string; readonly cure: string }

const byWorkspace: readonly Habit[] = [{ needs: 'workspace', cure: 'a workspace is named with --workspace, or -w' }]
const byFile: readonly Habit[] = [
  { needs: 'yes', cure: 'the settings are named with --config, and a saved plan without an option: apply plan.json' },
  { needs: 'config', cure: 'the settings are named with --config; they name the declaration' },
]
const asYaml = 'export prints YAML to standard output: export > FILE'
const byFormat: readonly Habit[] = [
  { needs: 'format', cure: 'write --format, or -o' },
  { needs: 'undeclared', cure: asYaml },
]
const toFile: readonly Habit[] = [
  { needs: 'undeclared', cure: asYaml },
  { needs: 'format', cure: 'write > FILE after the command' },
]
const allOfThem: readonly Habit[] = [{ needs: 'workspace', cure: 'without --workspace the command is about all workspaces' }]
const asColour: readonly Habit[] = [{ needs: 'no-color', cure: 'FORCE_COLOR=1 or --no-color decides about colours' }]
const asDryRun: readonly Habit[] = [
  { needs: 'yes', cure: 'plan shows what apply would write' },
  { needs: 'out', cure: 'plan never writes' },
]
const asForce: readonly Habit[] = [{ needs: 'allow', cure: 'a guard lets a change pass with --allow ID; the plan shows the ID' }]
const asLog: readonly Habit[] = [{ needs: 'log-level', cure: 'write --log-level debug' }]
const asYes: readonly Habit[] = [
  { needs: 'yes', cure: 'write --yes' },
  { needs: 'out', cure: 'only apply writes: apply --yes' },
]

const otherOptions: Readonly<Record<string, readonly Habit[]>> = {
  A: allOfThem,
  'all-namespaces': allOfThem,
  'all-workspaces': allOfThem,
  'auto-approve': asYes,
  color: asColour,
  colour: asColour,
  d: [{ needs: 'directory', cure: 'a directory is named with --directory' }],
  debug: asLog,
  diff: [{ cure: 'plan shows the differences' }],
  'dry-run': asDryRun,
  f: byFile,
  file: byFile,
  filename: byFile,
  force: asForce,
  format: [{ needs: 'undeclared', cure: asYaml }],
  json: [
    { needs: 'format', cure: 'write --format json' },
    { needs: 'undeclared', cure: asYaml },
  ],
  n: byWorkspace,
  namespace: byWorkspace,
  o: [{ needs: 'undeclared', cure: asYaml }],
  out: toFile,
  output: byFormat,
  target: byWorkspace,
  v: [{ needs: 'log-level', cure: 'write --log-level debug, or -V for the version' }, { cure: '-V shows the version' }],
  verbose: asLog,
  y: asYes,
  yes: asYes,
}

/** @param options those of the command */
export function habitOf(option: string, options: Readonly<Record<string, unknown>>): string | undefined {
  const habits = Object.hasOwn(otherOptions, option) ? otherOptions[option] : undefined
  return habits?.find(({ needs }) => needs === undefined || Object.hasOwn(options, needs))?.cure
}

/** What to write instead of an argument that the command does not take. */
export function argumentHabitOf(options: Readonly<Record<string, unknown>>): string | undefined {
  if (Object.hasOwn(options, 'directory')) return 'a directory is named with --directory, and the settings with --config'
  if (Object.hasOwn(options, 'workspace')) return 'a workspace is named with --workspace, and the settings with --config'
  if (Object.hasOwn(options, 'config')) return 'the settings are named with --config (- reads standard input); they name the declaration'
  return undefined
}
