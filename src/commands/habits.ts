/** Words of other programs (kubectl, helm, terraform, gh), and the words of this program for the same. Messages about wrong command lines use them. */

export const otherCommands: Readonly<Record<string, string>> = {
  check: 'validate checks the files',
  config: 'validate checks the settings',
  delete: 'list the mappings under "removed" in the declaration',
  describe: 'plan --all shows each change',
  diff: 'plan shows the differences',
  get: 'export shows the mappings of Plane, and groups those of the directories',
  import: 'export prints the mappings of Plane as a declaration',
  lint: 'validate checks the files',
  list: 'export shows the mappings of Plane, and groups those of the directories',
  logs: 'run logs to standard error',
  reconcile: 'run --once reconciles once',
  show: 'plan shows what exists and what would change',
  status: 'plan shows what exists and what would change',
  sync: 'apply writes the changes',
}

export const otherOptions: Readonly<Record<string, string>> = {
  'auto-approve': 'write --yes',
  color: 'FORCE_COLOR=1 or --no-color decides about colours',
  colour: 'FORCE_COLOR=1 or --no-color decides about colours',
  debug: 'write --log-level debug',
  diff: 'plan shows the differences',
  'dry-run': 'plan shows what apply would write',
  f: 'the settings are named with --config, and a saved plan without an option: apply plan.json',
  file: 'the settings are named with --config, and a saved plan without an option: apply plan.json',
  filename: 'the settings are named with --config, and a saved plan without an option: apply plan.json',
  json: 'write --format json',
  n: 'a workspace is named with --workspace, or -w',
  namespace: 'a workspace is named with --workspace, or -w',
  output: 'write --format, or -o',
  target: 'a workspace is named with --workspace, or -w',
  v: 'write --log-level debug, or -V for the version',
  verbose: 'write --log-level debug',
}
