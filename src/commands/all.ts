import type { Command } from './command.ts'

/** All commands, in the order of the help. A command is loaded when it is called, so that `validate` does not load the modules of `run`. */
export const commands: Readonly<Record<string, { readonly summary: string; load(): Promise<{ readonly command: Command }> }>> = {
  plan: { summary: 'show what would change, and why', load: () => import('./plan.ts') },
  apply: { summary: 'apply a fresh plan, or a saved one', load: () => import('./apply.ts') },
  run: { summary: 'run the daemon, or one cycle with --once', load: () => import('./run.ts') },
  validate: { summary: 'check settings and declaration, offline', load: () => import('./validate.ts') },
  export: { summary: 'print the existing mappings as a declaration', load: () => import('./export.ts') },
  groups: { summary: 'list the groups in the directories', load: () => import('./groups.ts') },
  schema: { summary: 'print the JSON Schema of a file, or of a document that --format json prints', load: () => import('./schema.ts') },
  sandbox: { summary: 'run Plane’s API as a local server for trials', load: () => import('./sandbox.ts') },
}
