import { describe, expect, test } from 'vitest'
import { reportOfOwner } from '../../../src/commands/planOfOwner.ts'
import type { CycleReport } from '../../../src/cycle/cycleReport.ts'

const because = (owner: string, file = `${owner}.yaml`) => ({ at: { file, line: 3, column: 5 }, owner })
const change = (id: string, owner?: string, action = 'create') => ({
  id,
  action,
  key: id,
  ...(owner === undefined ? {} : { because: because(owner) }),
})
const hold = (id: string, owner: string | undefined, reason: object) => ({
  key: id,
  change: change(id, owner),
  reason,
  ...(owner === undefined ? {} : { because: because(owner) }),
})
/** The fences of the settings. */
const ownerOfFile = (file: string) => (file.startsWith('teams/') ? `team-${file.split('/')[1]}` : undefined)
const ofSet = { kind: 'approval', why: 'limit', pass: 'set-1' }
const plan = {
  changes: [change('web', 'team-web'), change('pay', 'team-pay'), change('gone', undefined, 'delete')],
  holds: [
    hold('web-set', 'team-web', ofSet),
    hold('pay-set', 'team-pay', ofSet),
    hold('pay-people', 'team-pay', { kind: 'approval', why: 'people' }),
    { key: 'by-hand', reason: { kind: 'undeclared', policy: 'sync' } },
  ],
  later: [{ key: 'later', because: because('team-pay') }],
  findings: [
    { code: 'reading-incomplete', place: 'corp' },
    { code: 'pattern-unused', place: 'team-web.yaml:9:1' },
    { code: 'pattern-unused', place: 'team-pay.yaml:9:1' },
  ],
}
const report = (declaration: object = {}) =>
  structuredClone({
    workspaces: [{ kind: 'judged', workspace: 'acme', judged: { plan, waived: [] } }],
    directories: [],
    declaration: { hash: 'h', files: 2, ...declaration },
  }) as unknown as CycleReport

function planOf(owner: string, declaration?: object) {
  const narrowed = reportOfOwner(report(declaration), undefined, owner, ownerOfFile)
  const [workspace] = narrowed.report.workspaces
  if (workspace?.kind !== 'judged') throw new Error('no plan')
  return { plan: workspace.judged.plan, owner: narrowed.owner, declaration: narrowed.report.declaration }
}

describe('the plan of one owner', () => {
  test('has the rows of this owner, whole sets, and deletes that no rule explains', () => {
    const { plan: own, owner } = planOf('team-web')
    expect(own.changes.map(({ id }) => id)).toEqual(['web', 'gone'])
    expect(own.holds.map(({ key }) => key)).toEqual(['web-set', 'pay-set'])
    expect(own.later).toEqual([])
    expect(own.findings.map(({ place }) => place)).toEqual(['corp', 'team-web.yaml:9:1'])
    expect(owner).toEqual({ name: 'team-web', others: 4, known: [] })
  })

  test('has a delete whose line is gone if a file of this owner gave the mapping, or if nothing says which file', () => {
    const gone = report()
    const [workspace] = gone.workspaces
    const deleted = (id: string, givenBy?: string) => ({
      ...change(id, undefined, 'delete'),
      ...(givenBy === undefined ? {} : { givenBy }),
    })
    const holds = [deleted('pay-gone', 'teams/pay/a.yaml'), deleted('web-gone', 'teams/web/a.yaml')].map((one) => ({
      key: one.id,
      change: one,
      reason: { kind: 'approval', why: 'people' },
    }))
    const changes = [
      deleted('pay', 'teams/pay/a.yaml'),
      deleted('web', 'teams/web/a.yaml'),
      deleted('outside', 'x.yaml'),
      deleted('unknown'),
    ]
    Object.assign((workspace as { judged: { plan: object } }).judged.plan, { changes, holds })
    const { report: narrowed, owner } = reportOfOwner(gone, undefined, 'team-web', ownerOfFile)
    const [own] = narrowed.workspaces
    if (own?.kind !== 'judged') throw new Error('no plan')
    expect(own.judged.plan.changes.map(({ id }) => id)).toEqual(['web', 'outside', 'unknown'])
    expect(own.judged.plan.holds.map(({ key }) => key)).toEqual(['web-gone'])
    expect(owner).toMatchObject({ others: 3, known: [] })
  })

  test('names the owners that have rows, if this one has none', () => {
    const { plan: own, owner } = planOf('team-wbe')
    expect(own.changes.map(({ id }) => id)).toEqual(['gone'])
    expect(owner).toEqual({ name: 'team-wbe', others: 7, known: ['team-pay', 'team-web'] })
  })

  test('beside a base has what their edit lets other rules decide, and what their file says of another owner', () => {
    const base = {
      ...report(),
      workspaces: [
        {
          kind: 'judged',
          workspace: 'acme',
          judged: {
            plan: {
              ...{ changes: [], holds: [], later: [] },
              unchangedMappings: [
                { key: 'taken-over', because: because('team-web') },
                { key: 'web', because: because('team-web', 'teams/web.yaml') },
              ],
            },
          },
        },
      ],
    } as unknown as CycleReport
    const branch = report()
    const [workspace] = branch.workspaces
    Object.assign((workspace as { judged: { plan: object } }).judged.plan, {
      changes: [
        change('taken-over', 'team-pay'),
        { ...change('renamed', 'team-ops'), because: because('team-ops', 'teams/web.yaml') },
        change('pay', 'team-pay'),
      ],
      holds: [],
      later: [],
    })
    const narrowed = reportOfOwner(branch, undefined, 'team-web', ownerOfFile, base).report.workspaces[0]
    if (narrowed?.kind !== 'judged') throw new Error('no plan')
    expect(narrowed.judged.plan.changes.map(({ id }) => id)).toEqual(['taken-over', 'renamed'])
  })

  test('keeps what says that the plan is of an incomplete reading, and a finding about a file that gives no row', () => {
    const branch = report()
    const [workspace] = branch.workspaces
    const findings = [
      { code: 'reading-incomplete', place: 'team-pay.yaml:1:1' },
      { code: 'pattern-unused', place: 'other.yaml:1:1' },
    ]
    Object.assign((workspace as { judged: { plan: object } }).judged.plan, { findings })
    const narrowed = reportOfOwner(branch, undefined, 'team-web', ownerOfFile).report.workspaces[0]
    if (narrowed?.kind !== 'judged') throw new Error('no plan')
    expect(narrowed.judged.plan.findings).toEqual(findings)
  })

  test.each([
    ['of this owner counts', [{ owner: 'team-web' }, { owner: 'team-pay' }], 'broken'],
    ['of another owner does not count', [{ owner: 'team-pay' }], undefined],
    ['that contradicts others counts for each', [], 'broken'],
    ['of which the owner is not known counts for each', [{}], 'broken'],
  ])('an invalid file %s', (_, keptFiles, kept) => {
    expect(planOf('team-web', { kept: 'broken', keptFiles }).declaration.kept).toBe(kept)
  })
})
