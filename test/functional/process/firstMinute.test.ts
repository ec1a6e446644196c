import { readdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { runAlone as alone } from './emptyFolder.ts'
import { openPlace } from './program.ts'

const declaration = { version: 1, workspaces: {} }
const workspaces = {
  acme: {
    projects: ['ENG', 'OPS'],
    projectMappings: [
      { project: 'ENG', idp_group_name: 'eng-web', role: 'member' },
      { project: 'ENG', idp_group_name: 'eng-db', role: 'member' },
    ],
    workspaceMappings: [{ idp_group_name: 'all-staff', role: 'guest' }],
  },
}
const open = () => openPlace({ declaration, groups: ['eng-web', 'eng-db', 'eng-interns', 'all-staff'], workspaces })

describe('with three variables and no file', () => {
  test('export prints what exists, and plan compares it with a file', async () => {
    await using place = await open()
    const exported = await alone(place, ['export'])
    expect([exported.code, exported.err]).toEqual([0, ''])
    expect(exported.out).toContain('      - group: [eng-db, eng-web]\n        project: ENG\n        role: member\n')
    await place.write('empty/groups.yaml', exported.out)
    const planned = await alone(place, ['plan', '--declaration', 'groups.yaml'])
    expect(planned.code).toBe(0)
    expect(planned.out).toContain('in sync: 3 unchanged')
    const removed = await alone(place, ['export', '--removed'])
    expect([removed.code, removed.out]).toEqual([64, ''])
    expect(await readdir(place.path('empty'))).toEqual(['groups.yaml'])
  })

  test('plan without a declaration says how many mappings there are and what to do; a wrong key is an error', async () => {
    await using place = await open()
    const { code, out, err } = await alone(place, ['plan'])
    expect([code, err]).toEqual([0, expect.stringContaining('Plane has 3 mappings here, and there is no declaration')])
    expect(out).toContain('declaration none')
    expect((await alone(place, ['plan'], { PLANE_API_KEY: 'a-wrong-key' })).code).toBe(1)
    expect(await readdir(place.path('empty'))).toEqual([])
  })

  test('groups and doctor say what is missing', async () => {
    await using place = await open()
    const groups = await alone(place, ['groups'])
    expect([groups.code, groups.err]).toEqual([78, expect.stringContaining('names no directory')])
    const doctor = await alone(place, ['doctor'])
    expect([doctor.code, doctor.out]).toEqual([0, expect.stringContaining('no-settings-file')])
  })

  test.each(['run --once', 'apply --yes', 'reconcile', 'status', 'validate'])('%s needs a file, and says so', async (verb) => {
    await using place = await open()
    const { code, err } = await alone(place, verb.split(' '))
    expect([code, err]).toEqual([78, expect.stringContaining('plane-group-sync init')])
    expect(err.replaceAll(/\s+/g, ' ')).toContain('export, plan and doctor need none')
  })

  test.each(['PLANE_BASE_URL', 'PLANE_API_KEY', 'PLANE_WORKSPACE_SLUG'])('export without %s names it', async (name) => {
    await using place = await open()
    const { code, err } = await alone(place, ['export'], { [name]: '' })
    expect([code, err.replaceAll(/\s+/g, ' ')]).toEqual([78, expect.stringContaining(`has no ${name}`)])
  })
})
