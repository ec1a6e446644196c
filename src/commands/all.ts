import type { Command } from './command.ts'

/** Every verb, in the order of the help. Each is loaded when it is called, so that `validate` does not wait for what only `run` needs. */
export const commands: Readonly<Record<string, { readonly summary: string; load(): Promise<{ readonly command: Command }> }>> = {
  plan: { summary: 'what would change, and why', load: () => import('./plan.ts') },
  apply: { summary: 'apply a fresh plan, or a saved one', load: () => import('./apply.ts') },
  run: { summary: 'the daemon; --once for one cycle', load: () => import('./run.ts') },
  validate: { summary: 'check settings and declaration, offline', load: () => import('./validate.ts') },
  export: { summary: 'what exists, as a declaration', load: () => import('./export.ts') },
  groups: { summary: 'what the directories answer', load: () => import('./groups.ts') },
  schema: { summary: 'JSON Schema of the declaration or the settings', load: () => import('./schema.ts') },
  sandbox: { summary: 'Plane’s API as a local server, to try things on', load: () => import('./sandbox.ts') },
}
