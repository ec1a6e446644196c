import { expect, test } from 'vitest'
import { openPlace, type Place, type StartOptions } from './program.ts'
import { started } from './startedDaemon.ts'

/** No network, and none of the variables with which the program would find Plane. */
const cutOff: StartOptions = { wrap: (command) => ['unshare', '-rn', 'env', '-u', 'PLANE_BASE_URL', '-u', 'PLANE_API_KEY', ...command] }

const declaration = (bots: string, allStaff: string) => `version: 1
owner: team-platform
workspaces:
  acme:
    workspaceRoles:
      - { group: it-leads, role: admin }
    projectRoles:
      - { group: eng-core, project: ENG, role: member, reason: ACC-1201 }
      - { groupGlob: "eng-*", except: [eng-contractors], project: ENG, role: guest }
      - groupRegex: "plane-(?<app>[a-z]+)-(?<level>rw|ro)"
        project: { capture: app, map: { payments: [PAY, OPS] } }
        role: { capture: level, map: { rw: member, ro: guest } }
      - { group: partners, project: PAY, role: guest }
      - { group: interns, project: OPS, role: guest, expires: 2020-06-30 }
      - { group: all-staff, allProjects: true, role: ${allStaff} }
      ${bots}
    removed:
      - { group: old-eng, project: ENG }
    unmanaged:
      - { group: legacy-bots, reason: ACC-77 }
`
const groups = ['it-leads', 'eng-core', 'Eng-data', 'eng-contractors', 'plane-payments-rw', 'all-staff', 'partner', 'build-bots']
const state = {
  acme: {
    projects: ['ENG', 'OPS', 'PAY'],
    config: { is_enabled: true, sync_offline: true },
    projectMappings: [
      { idp_group_name: 'eng-core', role: 'member', project: 'ENG' },
      { idp_group_name: 'by-hand', role: 'admin', project: 'ENG' },
      { idp_group_name: 'legacy-bots', role: 'member', project: 'ENG' },
    ],
  },
}

/** A workspace after an apply, with a declaration that was edited since. */
async function openCompany(): Promise<Place> {
  const place = await openPlace({
    declaration: declaration('- { group: build-bots, project: OPS, role: guest }', 'guest'),
    groups,
    workspaces: state,
  })
  await place.run(['apply', '--yes'])
  await place.write('groups.yaml', declaration('', 'commenter'))
  return place
}

/** The text without what differs from run to run. A line of the journal has its columns. */
const steady = (text: string, place: Place) =>
  text
    .replaceAll(place.folder, 'FOLDER')
    .replaceAll(/127\.0\.0\.1:\d+/g, 'HOST')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'MAPPING')
    .replaceAll(/--allow [0-9a-f]{32}|ID [0-9a-f]{32}/g, (id) => id.replace(/\S+$/, 'ID'))
    .replaceAll(/apply [0-9a-f]{8}/g, 'apply RUN')
    .replaceAll(/\d+ s ago/g, 'N s ago')
    .replaceAll(/20[2-9]\d-\d\d-\d\d\s+\d\d:\d\d UTC/g, 'THEN')

/** The question, and the reviewed text. */
const prepared: readonly (readonly [string, string])[] = [
  [
    'ENG eng-core',
    `eng-core has member in ENG: groups.yaml:8 gives it.
acme at HOST

Rule          groups.yaml:8 · eng-core → member · owner team-platform · "ACC-1201"
Other rules   groups.yaml:9 · glob eng-* → guest · an exact rule beats a pattern
Group         corp: complete, N s ago · FOLDER/directory.yaml:6
In Plane      mapping MAPPING · member · not ours yet; ours from THEN if
              the exact rule stays
Change        none
Settings      policy sync · group sync on · claim "groups" · auto-remove off · offline sync every 2 h
Journal       THEN  named by an exact rule for the first time · apply RUN
              THEN  had member when the list was first read · apply RUN
`,
  ],
  [
    'PAY plane-payments-rw',
    `plane-payments-rw has member in PAY: groups.yaml:10 gives it.
acme at HOST

Rule          groups.yaml:10 · regex plane-(?<app>[a-z]+)-(?<level>rw|ro) → member · owner team-platform
Captures      app = payments → PAY, OPS · level = rw → member
Group         corp: complete, N s ago · FOLDER/directory.yaml:15
In Plane      mapping MAPPING · member · made by this program, so it is ours
Change        none
Settings      policy sync · group sync on · claim "groups" · auto-remove off · offline sync every 2 h
Journal       THEN  + → member · written · groups.yaml:10 · apply RUN
`,
  ],
  [
    'workspace it-leads',
    `it-leads has no role in the workspace yet: groups.yaml:6 gives admin, but it waits for approval (protected role).
acme at HOST

Rule          groups.yaml:6 · it-leads → admin · owner team-platform
Group         corp: complete, N s ago · FOLDER/directory.yaml:3
In Plane      no mapping
Held          waits for approval: protected role
              to approve this change: --allow ID · or in the file: allowProtected: true
Settings      policy sync · group sync on · claim "groups" · auto-remove off · offline sync every 2 h
Journal       no entry about it
`,
  ],
  [
    'PAY partners',
    `partners has no role in PAY yet: groups.yaml:13 gives guest, but corp does not know this group.
acme at HOST

Rule          groups.yaml:13 · partners → guest · owner team-platform
Group         corp: complete, N s ago · it has no group with this name
In Plane      no mapping
Held          corp does not know this group
              did you mean partner?
Settings      policy sync · group sync on · claim "groups" · auto-remove off · offline sync every 2 h
Journal       no entry about it
`,
  ],
  [
    'ENG by-hand',
    `by-hand has admin in ENG: no rule declares this mapping, and it is not ours, so it stays.
acme at HOST

Rule          none
Nearest       no rule comes near
Group         corp: complete, N s ago · it has no group with this name
In Plane      mapping MAPPING · admin · not ours, as far as the journal knows
Held          no rule declares this mapping, and it is not ours, so it stays
              to keep: export --workspace acme --undeclared · to delete: export --workspace acme --removed · to ignore:
              add to unmanaged:
Settings      policy sync · group sync on · claim "groups" · auto-remove off · offline sync every 2 h
Journal       THEN  had admin when the list was first read · apply RUN
`,
  ],
  [
    'ENG legacy-bots',
    `legacy-bots has member in ENG, and nothing changes it: groups.yaml:20 lists it under "unmanaged".
acme at HOST

Rule          none
Unmanaged     groups.yaml:20 · owner team-platform · "ACC-77"
Group         corp: complete, N s ago · it has no group with this name
In Plane      mapping MAPPING · member · not ours, as far as the journal knows
Change        none
Settings      policy sync · group sync on · claim "groups" · auto-remove off · offline sync every 2 h
Journal       THEN  had member when the list was first read · apply RUN
`,
  ],
  [
    'OPS interns',
    `interns has no role in OPS: the rule groups.yaml:14 has ended.
acme at HOST

Rule          groups.yaml:14 · interns → guest · owner team-platform · until 2020-06-30
Group         corp: complete, N s ago · it has no group with this name
In Plane      no mapping
Change        none
Settings      policy sync · group sync on · claim "groups" · auto-remove off · offline sync every 2 h
Journal       no entry about it
`,
  ],
  [
    'ENG Eng-data',
    `Eng-data has no role in ENG: no rule gives it one. groups.yaml:9 comes nearest: the glob says eng-*, the group is
Eng-data, and letter case counts.
acme at HOST

Rule          none
Nearest       groups.yaml:9 · glob eng-* → guest · the glob says eng-*, the group is Eng-data, and letter case counts
Group         corp: complete, N s ago · FOLDER/directory.yaml:9
In Plane      no mapping
Change        none
Settings      policy sync · group sync on · claim "groups" · auto-remove off · offline sync every 2 h
Journal       no entry about it
`,
  ],
  [
    'ENG eng-contractors',
    `eng-contractors has no role in ENG: no rule gives it one. groups.yaml:9 comes nearest: its "except" leaves
eng-contractors out.
acme at HOST

Rule          none
Nearest       groups.yaml:9 · glob eng-* → guest · its "except" leaves eng-contractors out
Group         corp: complete, N s ago · FOLDER/directory.yaml:12
In Plane      no mapping
Change        none
Settings      policy sync · group sync on · claim "groups" · auto-remove off · offline sync every 2 h
Journal       no entry about it
`,
  ],
  [
    'OPS eng-core',
    `eng-core has no role in OPS: no rule gives it one.
acme at HOST

Rule          none
Nearest       groups.yaml:8 · eng-core → member · it is for ENG
              groups.yaml:9 · glob eng-* → guest · it is for ENG
Group         corp: complete, N s ago · FOLDER/directory.yaml:6
In Plane      no mapping
Change        none
Settings      policy sync · group sync on · claim "groups" · auto-remove off · offline sync every 2 h
Journal       no entry about it
`,
  ],
  [
    'OPS all-staff',
    `all-staff has no role of its own in OPS: no rule gives it one. By its mapping to all projects it has guest there, and
this changes with the next apply or cycle.
acme at HOST

Rule          none
Nearest       groups.yaml:15 · all-staff → commenter · it is for all projects
Group         corp: complete, N s ago · FOLDER/directory.yaml:18
In Plane      no mapping
Change        none
All projects  the group has guest there · groups.yaml:15 · it changes
Settings      policy sync · group sync on · claim "groups" · auto-remove off · offline sync every 2 h
Journal       no entry about it
`,
  ],
  [
    'allProjects all-staff',
    `all-staff has guest in all projects, and gets commenter with the next apply or cycle: groups.yaml:15 gives it.
acme at HOST

Rule          groups.yaml:15 · all-staff → commenter · owner team-platform
Group         corp: complete, N s ago · FOLDER/directory.yaml:18
In Plane      mapping MAPPING · guest · made by this program, so it is ours
Change        ↑ guest → commenter · ID ID
Settings      policy sync · group sync on · claim "groups" · auto-remove off · offline sync every 2 h
              Takes effect at the next login or within 2 h.
Journal       THEN  + → guest · written · groups.yaml:15 · apply RUN
`,
  ],
  [
    'OPS build-bots',
    `build-bots loses guest in OPS with the next apply or cycle: no rule declares it any more, and it is ours.
acme at HOST

Rule          none
Nearest       no rule comes near
Group         corp: complete, N s ago · FOLDER/directory.yaml:24
In Plane      mapping MAPPING · guest · made by this program, so it is ours
Change        - = guest · undeclared · ID ID
Settings      policy sync · group sync on · claim "groups" · auto-remove off · offline sync every 2 h
              Takes effect at the next login or within 2 h. Auto-remove is off: people keep the access that they have.
Journal       THEN  + → guest · written · groups.yaml:16 · apply RUN
`,
  ],
  [
    'PAYY nobody',
    `nobody has no role in PAYY: no rule gives it one.
acme at HOST

Rule          none
Nearest       no rule comes near
Group         corp: complete, N s ago · it has no group with this name
Project       the credential sees no project PAYY; did you mean PAY?
In Plane      no mapping
Change        none
Settings      policy sync · group sync on · claim "groups" · auto-remove off · offline sync every 2 h
Journal       no entry about it
`,
  ],
  [
    'ENG old-eng',
    `old-eng has no role in ENG: groups.yaml:18 lists it under "removed".
acme at HOST

Rule          groups.yaml:18 · listed under "removed" · owner team-platform
Group         corp: complete, N s ago · it has no group with this name
In Plane      no mapping
Change        none
Settings      policy sync · group sync on · claim "groups" · auto-remove off · offline sync every 2 h
Journal       no entry about it
`,
  ],
]

test('answers prepared questions with reviewed texts', async () => {
  await using place = await openCompany()
  for (const [question, answer] of prepared) {
    const { code, out, err } = await place.run(['explain', 'acme', ...question.split(' ')])
    expect({ code, err, out: steady(out, place) }, question).toEqual({ code: 0, err: '', out: answer })
  }
})

test('a recording gives the same answer without the network, and without the journal', async () => {
  await using place = await openCompany()
  await place.run(['record', '--out', 'recording.json'])
  const question = ['explain', 'acme', 'allProjects', 'all-staff']
  const [live, recorded] = [await place.run(question), await place.run([...question, '--recorded', 'recording.json'], cutOff)]
  expect(recorded).toMatchObject({ code: 0, err: '' })
  const [answer, from, ...facts] = recorded.out.split('\n')
  expect(answer).toBe(live.out.split('\n')[0])
  expect(from).toMatch(/^acme at 127\.0\.0\.1:\d+, from a recording of .* UTC$/)
  expect(facts).toContain('Journal       a recording has no entries of the journal')
})

test('a wrong place is a mistake of the command line, with the words that are right', async () => {
  await using place = await openPlace({ declaration: declaration('', 'guest'), groups })
  const said = async (...args: readonly string[]) => {
    const { code, out, err } = await place.run(['explain', ...args])
    return { code, out, err }
  }
  expect(await said('acme', 'ENG')).toMatchObject({
    code: 64,
    out: '',
    err: expect.stringContaining('explain takes a workspace, a target and a group'),
  })
  expect(await said('acne', 'ENG', 'devs')).toMatchObject({ code: 64, out: '', err: expect.stringContaining('did you mean "acme"?') })
  expect(await said('acme', 'all the projects', 'devs')).toMatchObject({
    code: 64,
    out: '',
    err: expect.stringContaining('write workspace, allProjects, or'),
  })
  expect((await said('acme', 'eng', 'eng-core')).out).toContain('eng-core gets member in ENG')
  expect(await said('acme', 'ENG', 'eng-core', 'devs')).toMatchObject({ code: 64, out: '' })
})

test('what is suspended, invalid or not asked is said', async () => {
  const rows = { projectRoles: [{ groupGlob: 'eng-*', project: 'ENG', role: 'guest', from: 'lab' }] }
  const settings = { suspend: true, directories: { lab: { kind: 'file', path: './lab.yaml' } } }
  await using place = await openPlace({
    declaration: { version: 1, workspaces: { acme: rows } },
    groups: ['eng-core'],
    workspaces: state,
    settings,
  })
  await place.write('lab.yaml', { groups: [{ name: 'eng-lab' }] })
  const ask = async (...args: readonly string[]) => (await place.run(['explain', 'acme', ...args])).out
  expect(await ask('ENG', 'eng-lab')).toMatch(/^eng-lab has no role in ENG yet: groups\.yaml:6 gives guest, but writing is suspended\.$/m)
  const held = await ask('ENG', 'eng-core')
  expect(held.replaceAll('\n', ' ')).toMatch(
    /^eng-core has member in ENG: groups\.yaml:6 gives guest, but lab does not know this group, and its rule asks no other directory\. /,
  )
  expect(held).toMatch(/^ +not asked, since no rule of the workspace does: corp$/m)
  expect(held).toMatch(/^ +Suspended: nothing is written\.$/m)
  await place.write('groups.yaml', { version: 1, workspaces: { acme: { projectRoles: [{ group: 'x' }] } } })
  const invalid = await ask('ENG', 'someone')
  expect(invalid).toMatch(/^someone has no role in ENG: no rule that can be read gives it one, and groups\.yaml:\d+ cannot be used\.$/m)
  expect(invalid).toContain('Invalid: groups.yaml. Nothing of it is used')
})

test('without a journal, and if Plane does not give its mappings, it says what is not known', async () => {
  await using place = await openPlace({ declaration: declaration('', 'guest'), groups, workspaces: state, settings: { journal: 'none' } })
  const { out } = await place.run(['explain', 'acme', 'ENG', 'by-hand'])
  expect(out).toMatch(/^In Plane +mapping [0-9a-f-]+ · admin · without a journal it is not known who made it$/m)
  expect(out).toMatch(/^Journal +these settings have no journal$/m)
  await place.sandbox[Symbol.asyncDispose]()
  expect(await place.run(['explain', 'acme', 'ENG', 'by-hand'])).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('cannot be read'),
  })
})

test('beside a daemon it says what the daemon has read, and asks nothing', async () => {
  await using place = await openCompany()
  const { stop } = await started(place)
  const before = place.sandbox.requests.length
  const { code, out, err } = await place.run(['explain', 'acme', 'ENG', 'eng-core'])
  expect([code, err]).toEqual([0, ''])
  expect(place.sandbox.requests.length).toBe(before)
  expect(out).toMatch(/^eng-core has member in ENG: groups\.yaml:8 gives it\.\nacme at .*, as the daemon has read it; --fresh asks now\n/)
  expect(out).toMatch(/^Group +corp: complete, \d+ m?s ago · .*directory\.yaml:6$/m)
  expect(out).toMatch(/^Journal +.* named by an exact rule for the first time · (?:apply|run) /m)
  const asked = await place.run(['explain', 'acme', 'ENG', 'eng-core', '--fresh'])
  expect(asked.out).not.toContain('--fresh')
  expect(place.sandbox.requests.length).toBeGreaterThan(before)
  await stop()
})
