import { globSync } from 'node:fs'
import { join, posix } from 'node:path'
import type { ChunkingContext } from 'rolldown'
import { packageOf } from './packageOf.ts'

/** The modules that become a file each: those that a process starts with. */
const entries = ['main.ts', 'declaration/worker.ts']

/** The kinds of directories have a file each, with the name of their folder. */
const kindOf = (path: string): string => posix.basename(posix.dirname(path))

type Layer = readonly [name: string, patterns: readonly string[]]

/**
 * The other files of the bundle, from the first that a process loads to the last. A module is in the first layer from which static imports reach it. So a file
 * imports only files of layers before it, and a process loads no more than the layers of its command, of its kinds of directories and of its connections.
 */
const layersIn = (source: string): readonly Layer[] => [
  ['start', ['main.ts', 'render/width.ts']],
  ['help', ['commands/{usage,candidates,completion,sandboxHelp}.ts', 'commands/descriptions/*.ts']],
  ['declaration', ['declaration/worker.ts', 'commands/workspaceNames.ts', 'yaml/keys.ts']],
  ['settings', ['commands/validate.ts', 'directories/scim/filter.ts']],
  ['ldapFilter', ['directories/ldap/filter.ts']],
  ['cycle', ['commands/{plan,apply,export,groups,who,status,approve}.ts']],
  ['connections', ['http/connections.ts']],
  ['schedule', ['settings/{schedule,clockChange}.ts']],
  ['daemon', ['commands/{run,reconcile}.ts']],
  ['overHttp', ['directories/overHttp/{paging,reader,staticToken,token}.ts', 'directories/membership/*.ts', 'http/signingKey.ts']],
  ['token', ['http/bearerToken.ts', 'directories/overHttp/tokenRefusal.ts', 'http/extensionGrant.ts']],
  ...globSync('directories/*/read.ts', { cwd: source })
    .toSorted()
    .map((path): Layer => [kindOf(path), [path, posix.join(posix.dirname(path), 'readMembers.ts')]]),
  ['sandbox', ['commands/sandbox.ts']],
  ['schemas', ['commands/schema.ts', '{settings,documents}/jsonSchemas.ts']],
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
  const names = new Map<string, string>()
  const visit = (id: string, layer: string, brought?: string): void => {
    const name = packageOf(id)?.name
    const of = brought ?? name
    if (names.has(id)) return
    names.set(id, of ?? layer)
    for (const imported of context.getModuleInfo(id)?.importedIds ?? []) visit(imported, layer, of)
  }
  for (const [layer, patterns] of layersIn(source))
    for (const path of globSync([...patterns], { cwd: source }).toSorted()) visit(join(source, path), layer)
  for (const path of entries) names.delete(join(source, path))
  return names
}
