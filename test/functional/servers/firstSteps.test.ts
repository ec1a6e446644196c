import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { freePort } from '../freePorts.ts'
import { filled, shownIn, timeless } from './consolePage.ts'
import { startKeycloak } from './keycloak.ts'
import { openShell } from './shellAtTerminal.ts'

const path = join(import.meta.dirname, '../../../docs/first-steps.md')
const program = 'plane-group-sync'

/** With `-u` the test writes the outputs into the page. */
test('docs/first-steps.md: its commands lead to the mappings of three workspaces, and print what the page shows', async () => {
  await using keycloak = await startKeycloak()
  const page = await readFile(path, 'utf8')
  // The page has the usual ports, the test has free ones.
  const ports = [
    ['8080', keycloak.url.port],
    ['8787', `${await freePort()}`],
  ] as const
  const toHere = (text: string) => ports.reduce((sofar, [usual, free]) => sofar.replaceAll(usual, free), text)
  const toPage = (text: string) => ports.reduce((sofar, [usual, free]) => sofar.replaceAll(`:${free}`, `:${usual}`), text)
  await using shell = await openShell(toHere)

  const shown = shownIn(page)
  const ran = await shell.run(
    shown.map(({ command }) => toHere(command)),
    toHere('http://127.0.0.1:8787/_sandbox/'),
  )
  const of = (begin: string) => ran.filter(({ command }) => command.startsWith(`${program} ${begin}`))
  expect(ran.filter(({ code }) => code !== 0)).toEqual([])

  const whole = {
    acme: ['/engineering in ENG: member', '/engineering in OPS: member', '/leadership: admin', '/support in OPS: member'],
    labs: ['/design in LAB: member'],
    shop: ['/engineering in PAY: member', '/engineering in WEB: member', '/support in PAY: member', '/support in WEB: member'],
  }
  const [plan, planAgain, planAfterRestart] = of('plan')
  expect(mappingsIn(plan?.state)).toEqual({ acme: ['/support in OPS: guest'], labs: [], shop: [] })
  expect(of('apply').map(({ state }) => mappingsIn(state))).toEqual([whole, { ...whole, acme: ['/support in OPS: guest'], labs: [] }])
  expect(planAgain?.out).toContain('3 workspaces: 3 in sync')
  expect(mappingsIn(of('run')[0]?.state)).toEqual(whole)
  // The sandbox was started again with its saved state.
  expect(planAfterRestart?.out).toMatch(/^3 workspaces: 3 in sync/)
  expect(mappingsIn(planAfterRestart?.state)).toEqual(whole)

  // A plan has one fingerprint while nothing changes.
  const [applied, appliedAgain] = of('apply')
  expect(fingerprintsIn(applied?.out)).toEqual(fingerprintsIn(plan?.out))
  expect(fingerprintsIn(plan?.out).slice(-1)).toEqual(fingerprintsIn(appliedAgain?.out))

  const outputs = ran.map(({ out }) => toPage(out).replaceAll(shell.home, '/home/ann'))
  const isNew = canonical(outputs) !== canonical(shown.map(({ output }) => output))
  await expect(isNew ? filled(page, outputs) : page).toMatchFileSnapshot(path)
})

/**
 * The outputs without the parts that differ from run to run. Fingerprints depend on the port of the sandbox. The page has the fingerprints of one run,
 * so that equal plans have equal ones on the page too. Therefore all outputs of the page are replaced, or none.
 */
const canonical = (outputs: readonly string[]): string => timeless(outputs.join('\n'))

const fingerprintsIn = (text = ''): readonly string[] => [...text.matchAll(/\bplan\s+([0-9a-f]{8})\b/g)].map(([, one = '']) => one)

type Row = { readonly idp_group_name: string; readonly role: string; readonly project?: string }
type Rows = { readonly projectMappings?: readonly Row[]; readonly workspaceMappings?: readonly Row[] }

/** Workspace → its mappings in a state of the sandbox. */
function mappingsIn(text = ''): Readonly<Record<string, readonly string[]>> {
  const { workspaces } = parse(text) as { readonly workspaces: Readonly<Record<string, Rows>> }
  return Object.fromEntries(
    Object.entries(workspaces).map(([name, { projectMappings = [], workspaceMappings = [] }]) => [
      name,
      [...workspaceMappings, ...projectMappings]
        .map(({ idp_group_name, project, role }) => `${idp_group_name}${project === undefined ? '' : ` in ${project}`}: ${role}`)
        .toSorted(),
    ]),
  )
}
