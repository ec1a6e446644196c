import { globSync } from 'node:fs'
import { join, posix } from 'node:path'
import type { ChunkingContext } from 'rolldown'
import { packageOf } from './packageOf.ts'

/** The modules that become a file each: those that a process starts with. */
const entries = ['main.ts', 'worker.ts']

/** The kinds of directories have a file each, with the name of their folder. */
const kindOf = (path: string): string => posix.basename(posix.dirname(path))

/** With `and`: only the modules that static imports reach from both. */
type Layer = readonly [name: string, patterns: readonly string[], and?: readonly string[]]

/**
 * The other files of the bundle, from the first that a process loads to the last. A module is in the first layer from which static imports reach it. So a file
 * imports only files of layers before it, and a process loads no more than the layers of its command, of its kinds of directories and of its connections.
 */
const layersIn = (source: string): readonly Layer[] => [
  ['start', ['main.ts', 'render/width.ts']],
  ['help', ['commands/{usage,candidates,completion,descriptions,sandboxHelp}.ts']],
  ['files', ['declaration/load.ts'], ['commands/!(sandbox).ts']],
  ['files', ['commands/knownWords.ts', 'yaml/keys.ts']],
  ['declaration', ['declaration/{ceiling,load,worker}.ts']],
  ['settings', ['commands/validate.ts', 'directories/scim/filter.ts']],
  ['ldapFilter', ['directories/ldap/filter.ts']],
  ['cycle', ['commands/{plan,apply,export,groups,who,status,approve}.ts']],
  ['connections', ['http/connections.ts']],
  ['schedule', ['settings/schedule.ts']],
  ['daemon', ['commands/{run,reconcile}.ts']],
  [
    'overHttp',
    ['directories/overHttp/{paging,reader,staticToken,token}.ts', 'directories/{accountState,membership}.ts', 'http/signingKey.ts'],
  ],
  ['token', ['http/bearerToken.ts', 'directories/overHttp/tokenRefusal.ts', 'http/bearerToken.ts']],
  ...globSync('directories/*/read.ts', { cwd: source })
    .toSorted()
    .map((path): Layer => [kindOf(path), [path, posix.join(posix.dirname(path), 'readMembers.ts')]]),
  ['init', ['commands/{init,workflowFiles}.ts', 'declaration/printPatterns.ts']],
  ['tools', ['commands/{sandbox,schema}.ts', '{settings,documents}/jsonSchemas.ts']],
]

/** The name of the file for a module: its layer, or for a package the first one of package.json that brings it along. */
export function chunkNames(source: string): (id: string, context: ChunkingContext) => string | null {
  let names: ReadonlyMap<string, string> | undefined
  return (id, context) => {
    names ??= namesOf(source, context)
    return names.get(id) ?? null
  }
}

function namesOf(source: string, context: ChunkingContext): ReadonlyMap<string, string> {
  const importedBy = (id: string): readonly string[] => context.getModuleInfo(id)?.importedIds ?? []
  const modules = (patterns: readonly string[]): readonly string[] =>
    globSync([...patterns], { cwd: source })
      .toSorted()
      .map((path) => join(source, path))
  const names = new Map<string, string>()
  const visit = (id: string, layer: string, brought?: string): void => {
    const name = packageOf(id)?.name
    const of = brought ?? name
    if (names.has(id)) return
    names.set(id, of ?? layer)
    for (const imported of importedBy(id)) visit(imported, layer, of)
  }
  for (const [layer, patterns, and] of layersIn(source)) {
    const inBoth = and && reached(modules(and), importedBy)
    const first = inBoth === undefined ? modules(patterns) : [...reached(modules(patterns), importedBy)].filter((id) => inBoth.has(id))
    for (const id of first) visit(id, layer)
  }
  for (const path of entries) names.delete(join(source, path))
  return names
}

/** These modules, and all that static imports reach from them. */
function reached(ids: readonly string[], importedBy: (id: string) => readonly string[]): ReadonlySet<string> {
  const all = new Set(ids)
  // A set that grows is visited to its end.
  for (const id of all) for (const imported of importedBy(id)) all.add(imported)
  return all
}
