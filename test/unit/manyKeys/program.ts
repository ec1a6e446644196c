import { compose } from '../../../src/compose/compose.ts'
import type { Clock } from '../../../src/core/clock.ts'
import { indexGroups } from '../../../src/core/group.ts'
import type { GroupName, WorkspaceName } from '../../../src/core/mapping.ts'
import { emptyMemory, type Memory, remember } from '../../../src/core/memory/memory.ts'
import type { WorkspaceDeclaration } from '../../../src/core/rule.ts'
import { type CycleSources, runCycle } from '../../../src/cycle/cycle.ts'
import type { CycleReport } from '../../../src/cycle/cycleReport.ts'
import type { Origin, OriginOptions } from '../../../src/http/origin.ts'
import { settingsSchema } from '../../../src/settings/schema.ts'
import { declared } from '../declaration/declare.ts'

export type ManyKeys = {
  /** Credential → its workspaces. The key of a credential is its name with `key-` before it. */
  readonly credentials: Readonly<Record<string, readonly string[]>>
  /** The declaration of each workspace, as in the file. */
  readonly declaration: string
  readonly groups: readonly string[]
  readonly service?: object
  readonly guards?: object
  readonly clock: Clock
  readonly connect: (url: URL, options: OriginOptions) => Origin
}

/** The program with these settings, but without a disk. Its cycles write, and it remembers their results. */
export async function programOfManyKeys({ credentials, declaration, groups, service = {}, guards = {}, clock, connect }: ManyKeys) {
  const names = Object.keys(credentials)
  const workspaces = names.flatMap((name) => (credentials[name] ?? []).map((workspace) => [workspace, { credential: name }] as const))
  const settings = settingsSchema.parse({
    version: 1,
    service: {
      baseUrl: 'http://127.0.0.1:9',
      credentials: Object.fromEntries(names.map((name) => [name, { apiKey: { env: `key-${name}` } }])),
      ...service,
    },
    workspaces: Object.fromEntries(workspaces),
    declaration: 'groups',
    directories: { corp: { kind: 'file', path: 'corp.yaml' } },
    guards,
  })
  const loaded = {
    valid: true,
    settings,
    path: (path: string) => path,
    hash: '',
    file: 'config.yaml',
    intervalMs: 600_000,
    bytes: new Uint8Array(),
    document() {
      throw new Error('these settings have no file')
    },
  } as const
  let memory: Memory = emptyMemory
  const world = {
    ...{ env: {}, version: 'of a test', clock, connect, random: () => 0.5, secretSeen: () => {}, debug: () => {} },
    secret: async (reference: { readonly file: string } | { readonly env: string }) => ('env' in reference ? reference.env : ''),
  }
  const program = await compose(loaded, world, [], () => memory)
  const one = declared(declaration)
  const rules = new Map(workspaces.map(([name]) => [name as WorkspaceName, { ...one, workspace: name } as WorkspaceDeclaration]))
  const index = indexGroups(groups.map((name) => ({ name: name as GroupName, id: name, place: `cn=${name}` })))
  const corp = {
    kind: 'file',
    shrink: { share: 1, minExisting: 0 },
    read: async () => ({ status: 'complete', value: index, atMs: clock.now(), tookMs: 0 }) as const,
  }
  const sources: CycleSources = {
    ...program.sources,
    declaration: async () => ({ workspaces: rules, hash: 'd', files: 1 }),
    directories: new Map([['corp', corp]]),
  }
  const writing = program.writing({
    append: async (entry) => void (memory = remember(memory, entry, settings.service.unknownOutcomeWait)),
    hasLock: () => true,
    run: 'r',
  })
  const cycle = (signal: AbortSignal): Promise<CycleReport> =>
    runCycle(sources, { ...clock, memory: () => memory, rebind: async () => undefined }, writing, signal)
  return { cycle, program, writing, close: () => program.close() }
}
