import { expect, test } from 'vitest'
import { chanceFrom } from '../../../src/sandbox/chance.ts'
import { newState } from '../../../src/sandbox/controls.ts'
import { loadState } from '../../../src/sandbox/load.ts'
import { sandboxOptions } from '../../../src/sandbox/options.ts'
import { longTest } from '../../long.ts'

const uuid = '0190f0a0-0000-4000-a000-000000000001'
const load = (text: string) => newState(loadState({ name: 'state.yaml', text }), chanceFrom(1), Date.UTC(2026, 0, 1))

test('an empty file is the default: a workspace, two projects, a key', () => {
  const state = load('')
  expect(state.keys).toMatchObject([{ value: 'sandbox-key', owner: 'admin', rights: 'admin' }])
  expect(state.workspaces.acme?.projects.map(({ identifier }) => identifier)).toEqual(['ENG', 'OPS'])
  expect(state.limit).toEqual({ requests: 60, windowMs: 60_000 })
})

test('reads what is written and makes up the rest, the same for the same seed', () => {
  const text = `
limit: 5/600ms
keys: [{ value: k, owner: ann, expiresAt: 2026-06-01T00:00:00Z }]
workspaces:
  acme:
    projects: [eng, { identifier: OPS, members: [bob] }]
    projectMappings:
      - { idp_group_name: all, all_projects: true, role: guest }
      - { idp_group_name: e, project: eng, role: member, created_at: 2025-01-01T00:00:00+02:00 }
`
  const state = load(text)
  expect(state.limit).toEqual({ requests: 5, windowMs: 600 })
  expect(state.users.map(({ name }) => name)).toEqual(['ann', 'bob'])
  expect(state.keys[0]?.expiresAt).toBe(Date.UTC(2026, 5, 1))
  expect(state.workspaces.acme?.projectMappings).toMatchObject([
    { idp_group_name: 'all', project: null, all_projects: true, created_at: Date.UTC(2026, 0, 1) },
    { idp_group_name: 'e', project: 'ENG', all_projects: false, created_at: Date.UTC(2024, 11, 31, 22) },
  ])
  expect(load(text)).toEqual(state)
})

test.each([
  ['keys:\n  - value: k\n    right: admin\n', 'state.yaml:3:5: unknown key "right"'],
  ['workspace: {}\n', 'state.yaml:1:1: unknown key "workspace"'],
  ['keys: 5\n', 'state.yaml:1:1: keys must be a list'],
  ['keys: [{}]\n', 'state.yaml:1:8: keys.0.value is missing'],
  ['keys: [{ value: k, rights: all }]\n', 'state.yaml:1:20: keys.0.rights must be one of admin, read-only'],
  ['keys: [{ value: "" }]\n', 'state.yaml:1:10: keys.0.value must not be empty'],
  ['keys: [{ value: k, enabled: 1 }]\n', 'state.yaml:1:20: keys.0.enabled must be true or false'],
  ['applications: [{ clientId: c, clientSecret: s, installationId: x }]\n', 'applications.0.installationId must be a UUID'],
  [
    'limit: { requests: -1, windowMs: 1.5 }\n',
    'state.yaml:1:10: limit.requests must be at least 0\nstate.yaml:1:24: limit.windowMs must be a whole number',
  ],
  ['limit: 5\n', 'state.yaml:1:1: limit must be a text or a map (key: value)'],
  ['limit: often\n', 'state.yaml:1:1: limit: limit "often" cannot be read'],
  ['workspaces:\n  acme:\n    projects:\n      - { identifier: ENG, nam: x }\n', 'state.yaml:4:28: unknown key "nam"'],
  [
    'workspaces:\n  acme:\n    projects: [{ identifier: ENG, members: bob }]\n',
    'state.yaml:3:35: workspaces.acme.projects.0.members must be a list',
  ],
  [
    'workspaces:\n  acme:\n    projectMappings:\n      - { idp_group_name: g, role: m, project: A, all_projects: true }\n',
    'state.yaml:4:9: workspaces.acme.projectMappings.0: set either project or all_projects: true',
  ],
  [
    'workspaces:\n  acme:\n    projectMappings: [{ idp_group_name: g, role: m, project: NOPE }]\n',
    'state.yaml:3:53: workspaces.acme.projectMappings.0.project: the workspace has no such project',
  ],
  [
    'workspaces:\n  acme:\n    projects:\n      - identifier: ENG\n        workItems: [{ name: n, state: Done }]\n',
    'state.yaml:5:32: workspaces.acme.projects.0.workItems.0.state: the project has no such state',
  ],
  ['keys: [{ value: k, workspaces: [acm] }]\n', 'state.yaml:1:33: keys.0.workspaces.0: there is no such workspace'],
  ['tokens: [{ value: t, clientId: c, scopes: [], expiresAt: 1 }]\n', 'tokens.0.clientId: there is no such application'],
  ['keys: [{ value: same-key }, { value: same-key }]\n', 'state.yaml:1:31: keys.1.value: another row has the same value'],
  ['users: [{ name: ann }, { name: ann }]\n', 'users.1.name: another row has the same name'],
  ['workspaces:\n  acme:\n    projects: [ENG, eng]\n', 'workspaces.acme.projects.1.identifier: another row has the same identifier'],
  [
    `workspaces:\n  acme:\n    stickies: [{ id: ${uuid}, name: a }, { id: ${uuid}, name: b }]\n`,
    'workspaces.acme.stickies.1.id: another row has the same id',
  ],
  ['keys: [{ value: k, expiresAt: 9000000000000000 }]\n', 'state.yaml:1:20: keys.0.expiresAt must be at most 8640000000000000'],
  [`keys: [{ value: ${'🙂'.repeat(256)} }]\n`, 'keys.0.value: at most 255 characters'],
  ['a: 1\na: 2\n', 'state.yaml:2:1: Map keys must be unique'],
  ['a: !thing 1\n', 'state.yaml:1:4: Unresolved tag'],
  ['a: [1\n', 'state.yaml:2:1: '],
  [`a: &a [1,1]\nb: &b [${'*a,'.repeat(60)}1]\nc: [${'*b,'.repeat(60)}1]\n`, 'state.yaml: Excessive alias count'],
])('refuses %j and says where', (text, complaint) => expect(() => load(text)).toThrow(complaint))

longTest('a state that is wrong in more places than a call takes arguments is one complaint', () => {
  const projects = Array.from({ length: 130_000 }, () => 1 as never)
  expect(() => newState({ workspaces: { acme: { projects } } }, chanceFrom(1), 0)).toThrow("the sandbox's state has too many")
})

test('a message about a key that is there twice does not show the key', () => {
  expect(() => load('keys: [{ value: same-key }, { value: same-key }]\n')).not.toThrow('same-key')
})

test('every complaint at once, in the order of the file', () => {
  expect(() => load('a: 1\nb: 2\nkeys: [{}]\n')).toThrow(/state\.yaml:1:1: .*"a"\nstate\.yaml:2:1: .*"b"\nstate\.yaml:3:8: keys\.0\.value/)
})

test('a wrong file points to the page that has all its keys', () => {
  expect(() => load('workspace: {}\n')).toThrow(expect.objectContaining({ cure: expect.stringContaining('docs/dev/sandbox-reference.md') }))
})

test('options from their texts', () => {
  expect(
    sandboxOptions({ port: '8787', dialect: 'plane', limit: '60/minute', idle: '500ms', seed: '7', faults: ['*: 429, once'] }),
  ).toEqual({
    port: 8787,
    dialect: 'plane',
    limit: { requests: 60, windowMs: 60_000 },
    idleConnectionMs: 500,
    seed: 7,
    faults: ['*: 429, once'],
  })
  expect(sandboxOptions({})).toEqual({})
})

test.each([
  [{ port: '70000' }, '--port "70000" is not a whole number from 0 to 65535'],
  [{ dialect: 'klingon' }, '--dialect "klingon" is none of specification, plane'],
  [{ published: 'all' }, '--published "all" is none of counted, unlocked, constant, nothing'],
  [{ rateHeaders: 'ietf' }, '--rate-headers "ietf" is none of x-ratelimit, ratelimit, ratelimit-03'],
  [{ limiter: 'bucket' }, '--limiter "bucket" is none of sliding-log, fixed-window, sliding-counter, token-bucket'],
  [{ limit: '0/s' }, 'limit "0/s" cannot be read: write requests/window, as 60/minute'],
  [{ limit: '60' }, 'limit "60" cannot be read: write requests/window, as 60/minute'],
  [{ limit: '60/0s' }, 'limit "60/0s" cannot be read'],
  [{ idle: 'long' }, '--idle "long" cannot be read'],
])('refuses %j', (texts, complaint) => expect(() => sandboxOptions(texts)).toThrow(complaint))
