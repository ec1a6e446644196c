import { chmod, chown, readdir, stat } from 'node:fs/promises'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { documentSchema } from '../../../src/documents/jsonSchemas.ts'
import { openPlace, type Place } from './program.ts'
import { started } from './startedDaemon.ts'

const rule = (group: string, role: string, project = 'ENG') => `{ group: ${group}, project: ${project}, role: ${role} }`
const files = (...rules: readonly string[]) =>
  `version: 1\nowner: team-eng\nworkspaces:\n  acme:\n    projectRoles: [ ${rules.join(', ')} ]\n`

const place = (more: object = {}) =>
  openPlace({ declaration: files(rule('devs', 'member'), rule('ops', 'admin')), groups: ['devs', 'ops'], settings: more })

const json = async (at: Place, ...more: readonly string[]) => {
  const { out, code, err } = await at.run(['status', '-o', 'json', ...more])
  return { document: JSON.parse(out), code, err }
}

describe('status', () => {
  test('shows what waits, since when and the command that lets it pass; without a daemon it exits with 1', async () => {
    await using at = await place()
    const daemon = await started(at)
    await daemon.daemon.until(async () => (await readdir(at.path('state'))).includes('last.json'))
    expect((await stat(at.path('state/last.json'))).mode & 0o777).toBe(0o600)
    const asked = at.sandbox.requests.length
    const first = await json(at)
    expect(first.code).toBe(0)
    const check = new Ajv2020({ formats: { 'date-time': true } }).compile(documentSchema('status', 'refused'))
    expect(check(first.document), JSON.stringify(check.errors)).toBe(true)
    expect(first.document).toMatchObject({ daemon: 'running', trouble: [] })
    const [hold] = first.document.last.workspaces[0].plan.holds
    const shown = await at.run(['status'])
    expect(shown.code).toBe(0)
    expect(shown.out).toContain('Waits for approval (1: 1 create)')
    expect(shown.out).toContain(`plane-group-sync approve ${hold.change.id} --now --reason …`)
    expect(shown.out).toMatch(/protected role; since [\d: -]+ UTC \(\d+ s\)/)
    expect(shown.out).toContain('1 change written')
    expect((await at.run(['status', '--owner', 'team-eng'])).out).toContain(hold.change.id)
    expect((await at.run(['status', '--owner', 'team-pay'])).out).not.toContain(hold.change.id)
    expect(at.sandbox.requests.length).toBe(asked)

    await daemon.cycle()
    const second = await json(at)
    expect(second.document.last.workspaces[0].plan.holds[0].since).toBe(hold.since)
    await daemon.stop()
    const stopped = await at.run(['status'])
    expect(stopped.code).toBe(1)
    expect(stopped.out).toContain('No daemon holds the journal')
    expect(stopped.err).toContain('plane-group-sync run')

    // A later process goes on with the times of the earlier one.
    const next = await started(at)
    await next.cycle()
    const third = await json(at)
    expect(third.document.last.workspaces[0].plan.holds[0].since).toBe(hold.since)
    expect(third.document.last.lock).not.toBe(first.document.last.lock)
    await next.stop()
  })

  test('says what to do if no daemon has ended a cycle, and without a journal', async () => {
    await using at = await place()
    const none = await at.run(['status'])
    expect(none.code).toBe(1)
    expect(none.err).toContain('state/last.json: there is no such file')
    expect(none.err).toContain('plane-group-sync run')
    await at.settings({ journal: 'none' })
    expect(await at.run(['status'])).toMatchObject({ code: 64, err: expect.stringContaining('no journal') })
  })

  test('knows a success of a cycle about some workspaces, which the journal does not record', async () => {
    await using at = await place()
    await at.write('groups.yaml', files(rule('devs', 'member')))
    await at.write('directory.yaml', 'groups: 5')
    const daemon = await started(at)
    await daemon.daemon.until(async () => (await readdir(at.path('state'))).includes('last.json'))
    const [failed] = (await json(at)).document.last.workspaces
    expect([failed.outcome === 'success', failed.lastSuccess]).toEqual([false, undefined])

    await at.groups(['devs', 'ops'])
    expect((await at.run(['reconcile', '-w', 'acme'])).code).toBe(0)
    const { last } = (await json(at)).document
    const sinceEndedMs = (lastSuccess: string) => Date.parse(lastSuccess) - Date.parse(last.ended)
    expect(last.workspaces[0].outcome).toBe('success')
    // The two clocks of a machine may round differently.
    expect(Math.abs(sinceEndedMs(last.workspaces[0].lastSuccess))).toBeLessThan(5)

    // Another whole cycle that fails keeps the time.
    await at.write('directory.yaml', 'groups: 5')
    await daemon.cycle()
    const [again] = (await json(at)).document.last.workspaces
    expect(again.outcome).not.toBe('success')
    expect(Math.abs(sinceEndedMs(again.lastSuccess))).toBeLessThan(5)
    await daemon.stop()
  })

  test('exits with 1 if two cycles are missed', async () => {
    await using at = await place()
    const daemon = await started(at)
    await daemon.daemon.until(async () => (await readdir(at.path('state'))).includes('last.json'))
    const last = JSON.parse(await at.read('state/last.json'))
    await at.write('state/last.json', { ...last, overdue: '2020-01-01T00:00:00.000Z', ended: '2020-01-01T00:00:00.000Z' })
    const old = await at.run(['status'])
    expect([old.code, old.out.replaceAll('\n', ' ')]).toEqual([
      1,
      expect.stringContaining('two cycles are missed, or the file could not be written'),
    ])
    await at.write('state/last.json', '{"format":')
    expect(await at.run(['status'])).toMatchObject({ code: 1, err: expect.stringContaining('last.json: it is not JSON') })
    await daemon.cycle()
    expect((await at.run(['status'])).code).toBe(0)
    await daemon.stop()
    // Without a daemon there are no cycles to miss, and no log that says why.
    await at.write('state/last.json', { ...last, overdue: '2020-01-01T00:00:00.000Z' })
    const none = await at.run(['status'])
    expect([none.code, none.out]).toEqual([1, expect.stringContaining('No daemon holds the journal')])
    expect(none.out).not.toContain('missed')
  })
})

describe.runIf(process.getuid?.() === 0)('an account that is not that of the daemon', () => {
  const as = (uid: number) => ({
    wrap: (command: readonly string[]) => ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', ...command],
  })
  const commands = [['status'], ['reconcile'], ['approve', 'f'.repeat(32), '--now', '--reason', 'x'], ['apply', '--yes']] as const
  const told = (text: string) => text.replaceAll(/\s+/g, ' ')

  test.each(['the folder', 'the files'])('may not read %s: each command names the account to use, and starts nothing', async (what) => {
    await using at = await place()
    await chmod(at.folder, 0o755)
    const daemon = await started(at)
    await daemon.daemon.until(async () => (await readdir(at.path('state'))).includes('last.json'))
    if (what === 'the files') await chmod(at.path('state'), 0o755)
    for (const args of commands) {
      const { code, err } = await at.run(args, as(65_534))
      expect([args[0], code, told(err)]).toEqual([args[0], 1, expect.stringContaining('this account (65534) may not read it')])
      expect(told(err)).toContain("sudo -u '#0' plane-group-sync …")
      expect(told(err)).not.toContain('plane-group-sync run')
    }
    await daemon.stop()
    // Without a daemon there is no lock that says so.
    const { err } = await at.run(['status'], as(65_534))
    expect(told(err)).toContain("sudo -u '#0' plane-group-sync …")
    expect(told(err)).not.toContain('plane-group-sync run')
  })

  test('does not believe its files: each command names that account', async () => {
    await using at = await place()
    await chmod(at.folder, 0o755)
    const daemon = await started(at)
    await daemon.daemon.until(async () => (await readdir(at.path('state'))).includes('last.json'))
    // As on a volume of root, whose files belong to the account of the daemon.
    for (const name of ['lock', 'last.json']) await chown(at.path(`state/${name}`), 65_532, 65_532)
    for (const args of commands) {
      const { code, err } = await at.run(args)
      expect([args[0], code, told(err)]).toEqual([args[0], 1, expect.stringContaining('belongs to account 65532 instead of 0')])
      expect(told(err)).toContain("sudo -u '#65532' plane-group-sync …")
    }
    for (const name of ['lock', 'last.json']) await chown(at.path(`state/${name}`), 0, 0)
    await daemon.stop()
    await chown(at.path('state/last.json'), 65_532, 65_532)
    const { err } = await at.run(['status'])
    expect(told(err)).toContain("sudo -u '#65532' plane-group-sync …")
  })
})

describe('approve', () => {
  test('prints the words of a change that waits, and of a set that exceeds a limit', async () => {
    await using at = await place({ guards: { creates: { count: 1 } } })
    await at.write('groups.yaml', files(rule('devs', 'member'), rule('ops', 'admin'), rule('devs', 'guest', 'OPS')))
    const planned = JSON.parse((await at.run(['plan', '-o', 'json'])).out)
    const [{ holds, sets }] = planned.workspaces
    const admin = holds.find(({ change }: { change: { role: string } }) => change.role === 'admin').change
    const single = await at.run(['approve', admin.id, '--reason', 'INC-99: on call', '--for', '1h'])
    // The settings name no file that may have waivers.
    expect(single.err).toContain('No file may have these words')
    expect(single.out).toMatch(
      /^version: 1\nworkspaces:\n {2}acme:\n {4}waivers:\n {6}# protected role\n {6}# {3}ENG {2}ops → admin\n {6}- \{ project: ENG, group: ops, (?:id: \S+, )?from: none, to: admin, until: "?20\d\d-\d\d-\d\dT\d\d:\d\dZ"?, reason: "INC-99: on call" \}\n$/,
    )
    const flood = await at.run(['approve', sets[0].id, '--reason', 'move'])
    expect(flood.out).toContain('- changes:\n')
    expect(flood.out).toContain('group: devs')
    expect(flood.out).not.toContain('admin')
    const unknown = await at.run(['approve', 'f'.repeat(32), '--reason', 'x'])
    expect([unknown.code, unknown.out]).toEqual([3, ''])
    expect(unknown.err).toContain(admin.id)
    const wrong = [[], ['x'], [admin.id], [admin.id, '--reason', 'x', '--for', '721h'], [admin.id, '--reason', 'x', '--now']]
    for (const args of wrong) expect((await at.run(['approve', ...args])).code).toBe(64)
  })

  test('beside a daemon it asks nobody', async () => {
    await using at = await place()
    const daemon = await started(at)
    await daemon.daemon.until(async () => (await readdir(at.path('state'))).includes('last.json'))
    const { document } = await json(at)
    const { id } = document.last.workspaces[0].plan.holds[0].change
    const asked = at.sandbox.requests.length
    expect(await at.run(['approve', id, '--reason', 'INC-1'])).toMatchObject({ code: 0, out: expect.stringContaining('to: admin') })
    expect(at.sandbox.requests.length).toBe(asked)
    await daemon.stop()
  })
})
