import { listsInScope } from '../../../src/core/existing.ts'
import { listOf } from '../../../src/core/mapping.ts'
import type { WorkspaceDeclaration } from '../../../src/core/rule.ts'
import type { FenceText } from '../../../src/declaration/fence.ts'
import type { LastValidFiles } from '../../../src/declaration/files.ts'
import { load } from '../declaration/declare.ts'
import { acme, complete, lines, mapping, planIn, type SmallWorld, seenOf } from './smallWorld.ts'

const pay: FenceText = {
  owner: 'team-pay',
  workspace: 'acme',
  projectRoles: { projects: ['PAY', 'PAYWEB'], allProjects: false, roles: ['guest', 'member'], groups: ['pay-*', 'all-staff'] },
  may: ['removed', 'expires', 'unmanaged', 'previously', 'unknownGroups', 'groupSync'],
  demand: { reason: false, expires: {} },
}
const fences = {
  'pay/**': pay,
  'web/**': { ...pay, owner: 'team-web' },
  'ops/**': { ...pay, owner: 'team-ops', projectRoles: { projects: ['OPS'], allProjects: false, roles: ['member'], groups: ['*'] } },
  'platform/**': 'everything' as const,
}

/** Files by name, each with the content of `acme:`. */
export function declaredBy(files: Readonly<Record<string, string>>, lastValid?: LastValidFiles): WorkspaceDeclaration {
  const texts = Object.entries(files).map(([file, text]) => [`${file}/a.yaml`, `version: 1\nworkspaces:\n  acme: { ${text} }\n`])
  const loaded = load(Object.fromEntries(texts), { fences, dateMs: 0 }, lastValid)
  if (!loaded.valid) throw new Error(loaded.text)
  const [only] = loaded.declaration.values()
  if (only === undefined) throw new Error('no workspace')
  return only
}

export const directories = { corp: ['pay-devs', 'pay-leads', 'all-staff', 'ops-devs', 'admins'] }
export const projects = ['PAY', 'PAYWEB', 'OPS', 'ENG']

/** The plan of files, given existing mappings. */
export const planned = (...given: Parameters<typeof planOfFiles>): readonly string[] => lines(planOfFiles(...given))
export const heldIn = (...given: Parameters<typeof planOfFiles>) => planOfFiles(...given).holds.map(({ reason }) => reason)

/** @param more what the declaration has in addition to the texts of the files */
export function planOfFiles(
  files: Readonly<Record<string, string>>,
  existing: readonly string[] = [],
  over: SmallWorld = {},
  more: Pick<WorkspaceDeclaration, 'ownsKeys' | 'frozen'> = {},
) {
  const declared = { ...declaredBy(files, new Map()), ...more }
  const seen = seenOf({ directories, projects, existing, ...over })
  const mappings = existing.map(mapping)
  const lists = new Map(
    [...listsInScope(declared)].map((list) => [list, complete(mappings.filter(({ target }) => listOf(target) === list))]),
  )
  return planIn({ ...seen, declared: { ...declared, workspace: acme }, existing: { ...seen.existing, lists } })
}
