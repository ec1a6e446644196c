import { stat } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { ReportDocument, ReportRow } from '../../../src/documents/report.ts'
import { openPlace, type Place, writesTo } from './program.ts'
import { started } from './startedDaemon.ts'

const declaration = (more = '', admin = 'allowProtected: true') => `version: 1
owner: team-platform
workspaces:
  acme:
    workspaceRoles:
      - { group: it-leads, role: admin, ${admin}, reason: ACC-1201 }
    projectRoles:
      - { group: devs, project: ENG, role: member }
      - { group: interns, project: OPS, role: guest, expires: 2099-06-30 }
      ${more}
    unmanaged:
      - { group: legacy }
`
const groups = ['it-leads', 'devs', 'interns', 'late']
const workspaces = {
  acme: {
    projects: ['ENG', 'OPS'],
    projectMappings: [
      { idp_group_name: 'devs', role: 'member', project: 'ENG' },
      { idp_group_name: 'by-hand', role: 'admin', project: 'OPS' },
      { idp_group_name: 'legacy', role: 'member', project: 'OPS' },
    ],
  },
}

const openCompany = (more = '') => openPlace({ declaration: declaration(more), groups, workspaces })

async function reported(place: Place, ...args: readonly string[]): Promise<ReportDocument> {
  const { out, err, code } = await place.run(['report', '-o', 'json', ...args])
  expect({ err, code }).toEqual({ err: '', code: 0 })
  return JSON.parse(out) as ReportDocument
}
const rowsOf = ({ workspaces: [acme] }: ReportDocument) =>
  (acme?.rows ?? []).map((row) => `${placeText(row)} ${row.group} = ${row.role} ${row.standing} ${row.since?.by ?? '-'}`)
const placeText = ({ target }: ReportRow) => (target.kind === 'project' ? target.project : target.kind)
const projectMapping = (place: Place, group: string) => {
  const mapping = place.sandbox.state.workspaces.acme?.projectMappings.find(({ idp_group_name }) => idp_group_name === group)
  if (mapping === undefined) throw new Error(`no mapping of ${group}`)
  return mapping
}
/** Journal times have milliseconds: what comes next is later. */
const tick = () => new Promise((resolve) => setTimeout(resolve, 20))

test('each mapping has its rule, since when, and who made it so', async () => {
  await using place = await openCompany()
  await place.run(['apply', '--yes'])
  const report = await reported(place)
  expect(rowsOf(report)).toEqual([
    'workspace it-leads = admin declared program',
    'ENG devs = member declared unknown',
    'OPS by-hand = admin undeclared unknown',
    'OPS interns = guest declared program',
    'OPS legacy = member unmanaged unknown',
  ])
  const [acme] = report.workspaces
  expect(acme?.rows[0]).toMatchObject({ protected: true, because: { owner: 'team-platform', reason: 'ACC-1201', at: { line: 6 } } })
  expect(acme?.rows[3]?.ends).toBe('2099-07-01T00:00:00.000Z')
  expect(acme?.lists.map(({ status }) => status)).toEqual(['complete', 'complete'])
  const text = await place.run(['report', '--role', 'admin'])
  expect(text.out).toMatch(
    /‼ workspace {2}it-leads = admin .*groups\.yaml:6 · team-platform\n +since 20\d\d-.* UTC · allowed in groups\.yaml:6/,
  )
  expect(text.out).toContain('by-hand')
  expect(text.out).not.toContain('devs')
})

test('an edit in Plane has the span between two readings, and its repair is of the program', async () => {
  await using place = await openCompany()
  await place.run(['apply', '--yes'])
  const beforeMs = Date.now()
  await tick()
  projectMapping(place, 'by-hand').role = 'guest'
  await tick()
  await place.run(['apply', '--yes'])
  const row = (await reported(place, '--group', 'by-hand')).workspaces[0]?.rows[0]
  expect(row).toMatchObject({ role: 'guest', since: { by: 'others' } })
  expect(Date.parse(row?.since?.after ?? '')).toBeLessThanOrEqual(beforeMs)
  expect(Date.parse(row?.since?.at ?? '')).toBeGreaterThan(beforeMs)
  expect((await place.run(['report', '--group', 'by-hand'])).out).toContain('by others, between 20')
})

test('--at says what was so, from the journal alone', async () => {
  await using place = await openCompany()
  await place.run(['apply', '--yes'])
  await tick()
  const then = new Date()
  await tick()
  await place.write('groups.yaml', declaration('- { group: late, project: ENG, role: guest }'))
  projectMapping(place, 'by-hand').role = 'guest'
  await place.run(['apply', '--yes'])
  const requests = place.sandbox.requests.length
  const past = await reported(place, '--at', `${then.toISOString().slice(0, 19)}Z`).catch(() => undefined)
  // The moment is written to the second, so it may be before the first entry.
  if (past !== undefined) expect(rowsOf(past).join()).not.toContain('late')
  const now = await place.run(['report', '-o', 'json', '--at', new Date().toISOString().slice(0, 10)])
  expect(now.code).toBe(64)
  expect(now.err).toContain('is not over')
  const early = await place.run(['report', '--at', '2020-01-01'])
  expect(early).toMatchObject({ code: 1, out: '' })
  expect(early.err).toMatch(/this journal goes back to 20\d\d-.*Z, and knows nothing of 2020-01-01T23:59:59.999Z/)
  expect(place.sandbox.requests.length).toBe(requests)
})

test('who agreed: the words of a file, and --allow with the account', async () => {
  await using place = await openPlace({
    declaration: declaration('', 'allowProtected: false').replace(', allowProtected: false', ''),
    groups,
    workspaces,
  })
  const plan = JSON.parse((await place.run(['plan', '-o', 'json'])).out) as {
    workspaces: [{ holds: { group?: string; change?: { id: string } }[] }]
  }
  const id = plan.workspaces[0].holds.find(({ group }) => group === 'it-leads')?.change?.id ?? ''
  await place.run(['apply', '--yes', '--allow', id, '--by', 'ann'])
  const { approved = [] } = (await reported(place, '--role', 'admin', '--group', 'it-leads')).workspaces[0]?.rows[0] ?? {}
  expect(approved).toMatchObject([{ name: 'ann', source: '--allow' }])
  expect(approved[0]?.account).toMatch(/uid \d+/)
})

test('beside a daemon nothing is asked', async () => {
  await using place = await openCompany()
  const { daemon } = await started(place)
  await daemon.until(() => writesTo(place.sandbox).length > 0)
  await daemon.until(() => daemon.log().some(({ event }) => event === 'summary'))
  const requests = place.sandbox.requests.length
  await place.write('directory.yaml', 'gone: true')
  expect(rowsOf(await reported(place))).toContain('workspace it-leads = admin declared program')
  expect(place.sandbox.requests.length).toBe(requests)
})

test('CSV, HTML and Markdown have each row; a saved report is for its owner alone', async () => {
  await using place = await openPlace({
    declaration: declaration(),
    groups,
    workspaces: {
      acme: { projects: ['ENG', 'OPS'], projectMappings: [{ idp_group_name: '=HYPERLINK("x")', role: 'admin', project: 'OPS' }] },
    },
  })
  await place.run(['apply', '--yes'])
  const csv = (await place.run(['report', '-o', 'csv'])).out
  expect(csv.split('\n')[0]).toMatch(/^workspace,target,group,label,role,protected,/)
  expect(csv).toContain(`acme,OPS,"'=HYPERLINK(""x"")",,admin,`)
  await place.run(['report', '-o', 'html', '--out', 'access.html'])
  expect((await stat(place.path('access.html'))).mode & 0o777).toBe(0o600)
  const html = await place.read('access.html')
  expect(html).toContain("default-src 'none'; style-src 'sha256-")
  expect(html).toMatch(/=HYPERLINK\(\S*x\S*\)/)
  expect((await place.run(['report', '-o', 'markdown'])).out).toContain('| `workspace` | `it-leads` | `admin` |')
})

test('without a journal since when is not known, and the past is refused with what to do', async () => {
  await using place = await openPlace({ declaration: declaration(), groups, workspaces, settings: { journal: 'none' } })
  const report = await reported(place)
  expect(rowsOf(report)[0]).toBe('ENG devs = member declared -')
  expect(report.journal).toBeUndefined()
  expect(await place.run(['report', '--at', '2020-01-01'])).toMatchObject({
    code: 64,
    err: expect.stringContaining('nothing is known of the past') as string,
  })
})
