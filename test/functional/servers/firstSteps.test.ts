import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { freePort } from '../freePorts.ts'
import { clientId, entraStandIn, tenantId } from '../standIns/entra.ts'
import { filled, shownIn, timeless } from './consolePage.ts'
import { startKeycloak } from './keycloak.ts'
import { openShell, type Ran } from './shellAtTerminal.ts'
import { startSlapd } from './slapd.ts'

/** With `-u` these tests write the outputs into the pages. */

const pageOf = (name: string): string => join(import.meta.dirname, `../../../docs/first-steps-${name}.md`)

const both = ['engineering in ENG: member', 'engineering in OPS: member', 'leadership: admin', 'support in OPS: member']

test('first steps with Keycloak: the commands lead to the mappings, and print what the page shows', async () => {
  await using keycloak = await startKeycloak()
  const { of, plans } = await runPage('keycloak', [['8080', keycloak.url.port]])
  expect(mappingsIn(of('groups')[0]?.state)).toEqual(['support in OPS: guest'])
  expect(of('apply').map(({ state }) => mappingsIn(state))).toEqual([both])
  expect(plans.at(-1)?.out).toContain('in sync: 4 unchanged')
})

test('first steps with LDAP: the commands lead to the mappings, and print what the page shows', async () => {
  await using slapd = await startSlapd({ groups: 0, members: 0, ldif: ldif() })
  const { of, plans } = await runPage('ldap', [], (text) => text.replaceAll('ldaps://ldap.example.org', slapd.ldap))
  expect(of('groups')[0]?.out).toMatch(/engineering +2 /)
  expect(of('apply').map(({ state }) => mappingsIn(state))).toEqual([both])
  expect(plans.at(-1)?.out).toContain('in sync: 4 unchanged')
})

test('first steps with Entra ID: the commands lead to the mappings, and print what the page shows', async () => {
  const group = { id: '22223333-cccc-4444-dddd-5555eeee6666', displayName: 'Engineering' }
  await using entra = await entraStandIn({ groups: [group, { id: idOfOther, displayName: 'Support' }], secret: 'the-value' })
  const page = await readFile(pageOf('entra'), 'utf8')
  // The stand-in knows one tenant and one client.
  expect([tenantId, clientId].filter((id) => !page.includes(id))).toEqual([])
  const { of } = await runPage('entra', [], (text) =>
    text.replace(
      '    groups: { name: id }',
      `    graphUrl: ${entra.url.origin}\n    loginUrl: ${entra.url.origin}\n    groups: { name: id }`,
    ),
  )
  const made = [`${group.id} in ENG: member`, `${group.id} in OPS: member`]
  expect(of('apply').map(({ state }) => mappingsIn(state))).toEqual([[...made, 'support in OPS: guest']])
})

const idOfOther = '33334444-dddd-5555-eeee-6666ffff7777'

/** The groups and the account of the page. */
function ldif(): string {
  const suffix = 'dc=example,dc=org'
  const group = (name: string, ...people: string[]) =>
    [
      `dn: cn=${name},ou=groups,${suffix}`,
      'objectClass: groupOfNames',
      `cn: ${name}`,
      ...people.map((who) => `member: uid=${who},ou=people,${suffix}`),
      '',
    ].join('\n')
  return [
    `dn: cn=plane,${suffix}\nobjectClass: applicationProcess\nobjectClass: simpleSecurityObject\ncn: plane\nuserPassword: secret\n`,
    group('engineering', 'ann', 'bob'),
    group('leadership', 'ann'),
    group('support', 'eve'),
  ].join('\n')
}

/**
 * Runs all commands of a page at a terminal, and compares their outputs with the page.
 *
 * @param ports of the page and of the test
 * @param change is applied to the files that the page copies
 */
async function runPage(name: string, ports: readonly (readonly [string, string])[], change = (text: string) => text) {
  const path = pageOf(name)
  const page = await readFile(path, 'utf8')
  const all = [...ports, ['8787', `${await freePort()}`] as const]
  const toHere = (text: string) => all.reduce((sofar, [usual, free]) => sofar.replaceAll(usual, free), text)
  const toPage = (text: string) => all.reduce((sofar, [usual, free]) => sofar.replaceAll(`:${free}`, `:${usual}`), text)
  await using shell = await openShell((text) => change(toHere(text)))
  const shown = shownIn(page)
  const ran = await shell.run(
    shown.map(({ command }) => toHere(command)),
    toHere('http://127.0.0.1:8787/_sandbox/'),
  )
  expect(ran.filter(({ code }) => code !== 0)).toEqual([])
  const of = (verb: string): readonly Ran[] => ran.filter(({ command }) => command.startsWith(`plane-group-sync ${verb}`))
  const plans = of('plan')
  // A plan has one fingerprint while nothing changes.
  expect(fingerprintsIn(of('apply')[0]?.out)).toEqual(fingerprintsIn(plans[0]?.out))

  const outputs = ran.map(({ out }) => toPage(out).replaceAll(shell.home, '/home/ann'))
  const isNew = canonical(outputs) !== canonical(shown.map(({ output }) => output))
  await expect(isNew ? filled(page, outputs) : page).toMatchFileSnapshot(path)
  return { of, plans }
}

/**
 * The outputs without the parts that differ from run to run. Fingerprints depend on the port of the sandbox. The page has the fingerprints of one run,
 * so that equal plans have equal ones on the page too. Therefore all outputs of the page are replaced, or none.
 */
const canonical = (outputs: readonly string[]): string => timeless(outputs.join('\n'))

const fingerprintsIn = (text = ''): readonly string[] => [...text.matchAll(/\bplan\s+([0-9a-f]{8})\b/g)].map(([, one = '']) => one)

type Row = { readonly idp_group_name: string; readonly role: string; readonly project?: string }
type Rows = { readonly projectMappings?: readonly Row[]; readonly workspaceMappings?: readonly Row[] }

/** The mappings of the workspace in a state of the sandbox. */
function mappingsIn(text = ''): readonly string[] {
  const { workspaces } = parse(text) as { readonly workspaces: { readonly acme: Rows } }
  const { workspaceMappings = [], projectMappings = [] } = workspaces.acme
  return [...workspaceMappings, ...projectMappings]
    .map(({ idp_group_name, project, role }) => `${idp_group_name}${project === undefined ? '' : ` in ${project}`}: ${role}`)
    .toSorted()
}
