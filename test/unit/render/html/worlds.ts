import type { ProjectIdentifier } from '../../../../src/core/mapping.ts'
import type { LastDocument } from '../../../../src/documents/last.ts'
import type { ReportDocument, ReportRow } from '../../../../src/documents/report.ts'
import { people } from '../../bounds.ts'
import { last, waiting } from '../lastParts.ts'
import { nowMs, view } from '../sample.ts'

export type Shape = {
  readonly workspaces: number
  readonly projects: number
  readonly groups: number
  readonly roles: readonly string[]
  readonly name?: (n: number) => string
}

/** A report of so many rows: each project of a workspace has `groups` groups, whose roles take turns. */
export function reportOf({ workspaces, projects, groups, roles, name = (n) => `plane-team-${n}-developers` }: Shape): ReportDocument {
  return {
    format: 'plane-group-sync/report',
    version: 1,
    at: new Date(nowMs).toISOString(),
    from: 'readings',
    service: { host: 'plane.example.com', slugs: {} },
    declaration: { hash: '4f2c91e0'.repeat(8), files: 14, revision: { kind: 'commit', id: '9d41b7f0'.repeat(5) } },
    workspaces: Array.from({ length: workspaces }, (_, w) => ({
      workspace: `workspace-${w}`,
      fingerprint: 'ab'.repeat(32),
      lists: [
        { list: 'workspaceRoles', status: 'complete', read: new Date(nowMs).toISOString() },
        { list: 'projectRoles', status: 'complete', read: new Date(nowMs).toISOString() },
      ],
      rows: Array.from({ length: projects * groups }, (_, n): ReportRow => {
        const project = Math.floor(n / groups)
        const at = n % groups
        const named = roles[at % roles.length] ?? ''
        return {
          id: `id-${w}-${n}`,
          group: name(w * projects * groups + n),
          target: { kind: 'project', project: `PRJ${project}` as ProjectIdentifier },
          role: named,
          size: people((n * 7) % 800),
          standing: n % 50 === 0 ? 'undeclared' : 'declared',
          because: {
            at: { file: `teams/team-${project}.yaml`, line: 7, column: 3 },
            owner: `team-${project}`,
            reason: 'REQ-1201 agreed in the team',
          },
          since: { by: 'program', at: new Date(nowMs - n * 1000).toISOString() },
          ...(named === 'admin' ? { protected: true } : {}),
          ...(n % 40 === 0 ? { ends: new Date(nowMs + (n % 60) * 86_400_000).toISOString() } : {}),
        }
      }),
    })),
  }
}

const usual = ['guest', 'member', 'admin']
/** 10,000 mappings in different shapes. */
export const tenThousand: Readonly<Record<string, Shape>> = {
  'four groups in each of 2,500 projects': {
    workspaces: 1,
    projects: 2500,
    groups: 4,
    roles: ['guest', 'commenter', 'contributor', 'member', 'admin'],
  },
  'twenty groups in each of 500 projects': { workspaces: 1, projects: 500, groups: 20, roles: usual },
  'forty workspaces': { workspaces: 40, projects: 25, groups: 10, roles: usual },
  'a thousand workspaces': { workspaces: 1000, projects: 5, groups: 2, roles: usual },
  'one cell': { workspaces: 1, projects: 1, groups: 10_000, roles: ['member'] },
  'names of 500 characters that must be escaped': {
    workspaces: 2,
    projects: 250,
    groups: 20,
    roles: usual,
    name: (n) => `<b>${n}${'<'.repeat(490)}`,
  },
}

/** Read back from its JSON, as that of a daemon. */
export const lastOfAll = (): LastDocument =>
  JSON.parse(
    JSON.stringify(
      last([
        [waiting, 'waiting'],
        [view(), 'success'],
      ]),
    ),
  ) as LastDocument
