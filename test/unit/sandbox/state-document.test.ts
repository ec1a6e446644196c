import { expect, test } from 'vitest'
import { chanceFrom } from '../../../src/sandbox/chance.ts'
import { stateDocument } from '../../../src/sandbox/control.ts'
import { newState } from '../../../src/sandbox/controls.ts'
import { loadState } from '../../../src/sandbox/load.ts'
import type { State } from '../../../src/sandbox/state.ts'
import type { StateInput } from '../../../src/sandbox/state-input.ts'

const made = (input: StateInput) => newState(input, chanceFrom(1), Date.UTC(2026, 0, 31, 12, 0, 0, 250))
/** The state that a state file with this state's document has, in another process at another time. */
const reread = (state: State) =>
  newState(loadState({ name: 'state', text: JSON.stringify(stateDocument(state)) }), chanceFrom(99), Date.UTC(2030, 0, 1))

const everything: StateInput = {
  limit: '5/600ms',
  users: [
    { name: 'ann', email: 'ann@example.org', utcOffset: '-03:30' },
    { name: 'ben', utcOffset: '+00:00' },
  ],
  keys: [
    { value: 'k', name: 'the key', owner: 'ann', rights: 'read-only', workspaces: ['acme'], expiresAt: '2027-01-31T23:59:59+02:00' },
    { value: 'l', enabled: false, limit: { requests: 0, windowMs: 1 } },
  ],
  applications: [{ clientId: 'app', clientSecret: 'secret', installationId: '0190f0a0-0000-4000-a000-000000000004', tokenLifetimeS: 5 }],
  tokens: [{ value: 't', clientId: 'app', scopes: ['projects:read'], expiresAt: 0 }],
  workspaces: {
    empty: {},
    acme: {
      projects: [
        'OPS',
        {
          identifier: 'eng',
          name: 'Ж "quoted"',
          network: 0,
          archived_at: '2025-01-01T00:00:00Z',
          project_lead: 'ann',
          members: [],
          states: [{ name: 'Todo' }],
          workItems: [{ name: 'n', state: 'Todo', assignees: ['cleo'] }, { name: 'm' }],
        },
      ],
      projectMappings: [
        { idp_group_name: '🙂'.repeat(255), project: 'ENG', role: 'member' },
        { idp_group_name: 'null', all_projects: true, role: null },
      ],
      workspaceMappings: [{ idp_group_name: '2026-01-31', role: 'yes' }],
      config: { auto_remove: true, default_workspace_role: 'guest' },
      roles: { workspace: ['admin'], project: [] },
      stickies: [{ name: '', description_html: '<p>' }],
      pages: [{ name: '__proto__', description: 'a: b' }],
    },
  },
}

test.each<[string, StateInput]>([
  ['the default', {}],
  ['everything', everything],
  ['nothing', { keys: [], workspaces: {} }],
])('a state file with the document of a state gives the same state: %s', (_, input) => {
  const state = made(input)
  expect(reread(state)).toEqual(state)
})

test('times are for people, and a time that no date shows stays a number', () => {
  const state = made(everything)
  expect(stateDocument(state)).toMatchObject({
    keys: [{ expiresAt: '2027-01-31T21:59:59.000Z' }, {}],
    users: [{ utcOffset: '-03:30' }, { utcOffset: '+00:00' }, { utcOffset: '+02:00' }, {}, {}],
    workspaces: { acme: { projectMappings: [{ created_at: '2026-01-31T12:00:00.250Z' }, {}] } },
  })
  Object.assign(state.keys[0] ?? {}, { expiresAt: 9e15 })
  expect(stateDocument(state)).toMatchObject({ keys: [{ expiresAt: 9e15 }, {}] })
})
