import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The number of workspaces, each with its own credential, and the number of mappings that each declares. */
export type Size = { readonly workspaces: number; readonly mappings: number }

/** Projects and groups of all workspaces. Several workspaces map the same group, as in a company. */
export const projects = ['CORE', 'DATA', 'DESK', 'ENG', 'OPS', 'PAY', 'SITE', 'WEB'] as const
export const groupsOf = ({ mappings }: Size): number => Math.max(20_000, mappings)
export const groupName = (index: number): string => `plane-team-${index}`

/** The nth mapping that a workspace declares. The first two have the workspace as their target, the others a project. */
export function mappingOf(workspace: number, nth: number, size: Size) {
  const group = groupName((workspace * 7 + nth) % groupsOf(size))
  return nth < 2 ? { group, role: nth === 0 ? 'member' : 'guest' } : { group, project: projects[nth % projects.length], role: 'member' }
}

const nameOf = (workspace: number): string => `w${String(workspace).padStart(5, '0')}`
export const numberOf = (slug: string): number => Number(slug.slice(1))

/** A file with this many rules is far below 1 MiB, the limit for a file. */
const rulesAFile = 10_000

/** Writes settings, keys and declaration for this size, as an operator would. */
export async function writeFiles(folder: string, size: Size): Promise<void> {
  const names = Array.from({ length: size.workspaces }, (_, index) => nameOf(index))
  await mkdir(join(folder, 'keys'))
  for (const name of names) await writeFile(join(folder, 'keys', name), `plane_api_${name}_0123456789abcdef\n`, { mode: 0o600 })
  await writeFile(join(folder, 'config.yaml'), settingsText(names, size))
  await mkdir(join(folder, 'groups'))
  const all = names.flatMap((_, workspace) => Array.from({ length: size.mappings }, (_, nth) => [workspace, nth] as const))
  for (let from = 0; from < all.length; from += rulesAFile) {
    const text = declarationText(all.slice(from, from + rulesAFile), size)
    await writeFile(join(folder, 'groups', `${String(from).padStart(6, '0')}.yaml`), text)
  }
}

function settingsText(names: readonly string[], { mappings }: Size): string {
  const all = names.length * mappings
  return `version: 1
service:
  baseUrl: http://127.0.0.1:9
  credentials:
${names.map((name) => `    ${name}: { apiKey: { file: keys/${name} } }\n`).join('')}workspaces:
${names.map((name) => `  ${name}: { credential: ${name} }\n`).join('')}declaration: groups
guards: { creates: { count: ${mappings} }, run: { creates: ${all} }, day: { creates: ${all} } }
schedule: { cron: "0 0 1 1 *", jitter: 0s }
journal: { folder: state }
http: none
`
}

function declarationText(rules: readonly (readonly [workspace: number, nth: number])[], size: Size): string {
  const lines = ['version: 1', 'workspaces:']
  for (const [workspace, mine] of Map.groupBy(rules, ([one]) => one)) {
    lines.push(`  ${nameOf(workspace)}:`)
    const said = mine.map(([, nth]) => mappingOf(workspace, nth, size))
    for (const [list, those] of Map.groupBy(said, (rule) => ('project' in rule ? 'projectRoles' : 'workspaceRoles'))) {
      lines.push(`    ${list}:`)
      for (const rule of those) {
        const fields = Object.entries(rule).map(([key, value]) => `${key}: ${value}`)
        lines.push(`      - { ${fields.join(', ')} }`)
      }
    }
  }
  return `${lines.join('\n')}\n`
}
