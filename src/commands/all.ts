import type { Command } from './command.ts'
import type { Description } from './description.ts'
import type { descriptions } from './descriptions.ts'

export type CommandEntry = {
  readonly summary: string
  describe(): Promise<Description>
  load(): Promise<{ readonly command: Command }>
}

const described = (name: keyof typeof descriptions) => async (): Promise<Description> =>
  (await import('./descriptions.ts')).descriptions[name]

/**
 * All commands, in the order of the help. Descriptions and commands are loaded when they are needed, so that `--version` loads neither, and
 * `validate` does not load the modules of `run`.
 */
export const commands: Readonly<Record<string, CommandEntry>> = {
  init: {
    summary: 'write the first settings, a declaration of what exists, and a workflow',
    describe: described('init'),
    load: () => import('./init.ts'),
  },
  plan: {
    summary: 'show what would change, and why',
    describe: described('plan'),
    load: () => import('./plan.ts'),
  },
  apply: {
    summary: 'apply a fresh plan, or a saved one',
    describe: described('apply'),
    load: () => import('./apply.ts'),
  },
  run: {
    summary: 'run the daemon, or one cycle with --once',
    describe: described('run'),
    load: () => import('./run.ts'),
  },
  reconcile: {
    summary: 'run one cycle now, by the daemon if one runs',
    describe: described('reconcile'),
    load: () => import('./reconcile.ts'),
  },
  status: {
    summary: 'show what the last cycle of the daemon did, and what waits',
    describe: described('status'),
    load: () => import('./status.ts'),
  },
  doctor: {
    summary: 'say what is wrong with settings, Plane, directories and journal, and the cure',
    describe: described('doctor'),
    load: () => import('./doctor.ts'),
  },
  approve: {
    summary: 'print a waiver for a change or set that waits for approval',
    describe: described('approve'),
    load: () => import('./approve.ts'),
  },
  validate: {
    summary: 'check settings and declaration, offline',
    describe: described('validate'),
    load: () => import('./validate.ts'),
  },
  export: {
    summary: 'print the existing mappings as a declaration',
    describe: described('export'),
    load: () => import('./export.ts'),
  },
  record: {
    summary: 'save all that a plan is made from, without a secret',
    describe: described('record'),
    load: () => import('./record.ts'),
  },
  groups: {
    summary: 'list the groups in the directories',
    describe: described('groups'),
    load: () => import('./groups.ts'),
  },
  who: {
    summary: 'show the roles of a person, today and after the plan',
    describe: described('who'),
    load: () => import('./who.ts'),
  },
  explain: {
    summary: 'show why a group has a role on a target, or why not',
    describe: described('explain'),
    load: () => import('./explain.ts'),
  },
  report: {
    summary: 'show which group has which role, why, since when, and who agreed',
    describe: described('report'),
    load: () => import('./report.ts'),
  },
  schema: {
    summary: 'print the JSON Schema of a file, or of a document that --format json prints',
    describe: described('schema'),
    load: () => import('./schema.ts'),
  },
  sandbox: {
    summary: 'run Plane’s API as a local server for trials',
    describe: described('sandbox'),
    load: () => import('./sandbox.ts'),
  },
  completion: {
    summary: 'print the completion for bash, zsh or fish',
    describe: described('completion'),
    load: () => import('./completion.ts'),
  },
}

/** The entry of a command; undefined for any other word. */
export const commandOf = (name: string): CommandEntry | undefined => (Object.hasOwn(commands, name) ? commands[name] : undefined)
