import type { Command } from './command.ts'
import type { Description } from './description.ts'

export type CommandEntry = {
  readonly summary: string
  describe(): Promise<{ readonly description: Description }>
  load(): Promise<{ readonly command: Command }>
}

/**
 * All commands, in the order of the help. Descriptions and commands are loaded when they are needed, so that `--version` loads neither, and
 * `validate` does not load the modules of `run`.
 */
export const commands: Readonly<Record<string, CommandEntry>> = {
  plan: {
    summary: 'show what would change, and why',
    describe: () => import('./descriptions/plan.ts'),
    load: () => import('./plan.ts'),
  },
  apply: {
    summary: 'apply a fresh plan, or a saved one',
    describe: () => import('./descriptions/apply.ts'),
    load: () => import('./apply.ts'),
  },
  run: {
    summary: 'run the daemon, or one cycle with --once',
    describe: () => import('./descriptions/run.ts'),
    load: () => import('./run.ts'),
  },
  reconcile: {
    summary: 'run one cycle now, by the daemon if one runs',
    describe: () => import('./descriptions/reconcile.ts'),
    load: () => import('./reconcile.ts'),
  },
  status: {
    summary: 'show what the last cycle of the daemon did, and what waits',
    describe: () => import('./descriptions/status.ts'),
    load: () => import('./status.ts'),
  },
  approve: {
    summary: 'print a waiver for a change or plan that waits for approval',
    describe: () => import('./descriptions/approve.ts'),
    load: () => import('./approve.ts'),
  },
  validate: {
    summary: 'check settings and declaration, offline',
    describe: () => import('./descriptions/validate.ts'),
    load: () => import('./validate.ts'),
  },
  export: {
    summary: 'print the existing mappings as a declaration',
    describe: () => import('./descriptions/export.ts'),
    load: () => import('./export.ts'),
  },
  groups: {
    summary: 'list the groups in the directories',
    describe: () => import('./descriptions/groups.ts'),
    load: () => import('./groups.ts'),
  },
  who: {
    summary: 'show the roles of a person, today and after the plan',
    describe: () => import('./descriptions/who.ts'),
    load: () => import('./who.ts'),
  },
  schema: {
    summary: 'print the JSON Schema of a file, or of a document that --format json prints',
    describe: () => import('./descriptions/schema.ts'),
    load: () => import('./schema.ts'),
  },
  sandbox: {
    summary: 'run Plane’s API as a local server for trials',
    describe: () => import('./descriptions/sandbox.ts'),
    load: () => import('./sandbox.ts'),
  },
  completion: {
    summary: 'print the completion for bash, zsh or fish',
    describe: () => import('./descriptions/completion.ts'),
    load: () => import('./completion.ts'),
  },
}

/** The entry of a command; undefined for any other word. */
export const commandOf = (name: string): CommandEntry | undefined => (Object.hasOwn(commands, name) ? commands[name] : undefined)
