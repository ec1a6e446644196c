import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { openPlace, type Place, stateOf, writesTo } from './program.ts'
import { started } from './startedDaemon.ts'

const groups = ['leads', 'devs']
const declaration = {
  version: 1,
  workspaces: {
    acme: {
      projectRoles: [
        { group: 'leads', project: 'ENG', role: 'admin' },
        { group: 'devs', project: 'ENG', role: 'member' },
      ],
    },
  },
}
const waiting = 'ENG leads → admin'
const filesOnly = { approvals: 'files-only', waivers: { files: ['*.yaml'] } }
/** The settings of another person, which are not those of the daemon. */
const wrap = (command: readonly string[]) => command.map((word) => word.replace(/config\.yaml$/, 'other.yaml'))

async function idThatWaits(place: Place): Promise<string> {
  const { out } = await place.run(['plan', '-o', 'json'])
  return JSON.parse(out).workspaces[0].holds[0].change.id as string
}
const placeOf = (settings: object) => openPlace({ declaration, groups, settings })

describe('approvals: files-only', { concurrent: true, timeout: 120_000 }, () => {
  test('no output offers --allow or --now, and each says how to get the words for a file', async () => {
    await using at = await placeOf(filesOnly)
    const id = await idThatWaits(at)
    const { stop } = await started(at)
    const json = await at.run(['plan', '-o', 'json'])
    expect(JSON.parse(json.out).workspaces[0].approvals).toBe('files-only')
    const outputs = await Promise.all(
      [['plan'], ['plan', '-o', 'markdown'], ['status'], ['apply', '--yes'], ['reconcile'], ['explain', 'acme', 'ENG', 'leads']].map(
        async (args) => [args.join(' '), (await at.run(args)).out] as const,
      ),
    )
    for (const [line, out] of [...outputs, ['json', json.out] as const])
      expect([line, /--allow|--now/.exec(out)?.[0]]).toEqual([line, undefined])
    for (const [line, out] of outputs.filter(([name]) => !name.includes('markdown')))
      expect([line, out.replaceAll(/\s+/g, ' ')]).toEqual([line, expect.stringContaining(`plane-group-sync approve ${id} --reason …`)])
    const markdown = outputs[1]?.[1] ?? ''
    expect(markdown).toContain('```yaml\nversion: 1\nworkspaces:\n  acme:\n    waivers:\n')
    expect(markdown).toMatch(/ {6}- \{ project: ENG, group: leads, from: none, to: admin, until: [-\dT:]+Z, reason: ['"]?…['"]? \}/)
    await stop()
  })

  test('--allow and approve --now are refused, and approve prints the words, which let the change pass', async () => {
    await using at = await placeOf(filesOnly)
    const id = await idThatWaits(at)
    for (const args of [
      ['plan', '--allow', id],
      ['apply', '--yes', '--allow', id],
    ]) {
      const { code, err } = await at.run(args)
      expect([code, err]).toEqual([64, expect.stringContaining(`plane-group-sync approve ${id} --reason … prints them`)])
      expect(err).toContain('approvals: files-only')
    }
    const { stop } = await started(at)
    const now = await at.run(['approve', id, '--now', '--reason', 'INC-99'])
    expect([now.code, now.err]).toEqual([3, expect.stringContaining('Nothing was approved: by the setting approvals: files-only')])
    const words = await at.run(['approve', id, '--reason', 'INC-99'])
    expect([words.code, words.err]).toEqual([0, ''])
    expect(now.out).toContain(words.out.split('until')[0])
    expect(stateOf(at.sandbox)).toEqual(['ENG devs → member'])
    const { waivers } = parse(words.out).workspaces.acme
    await at.write('groups.yaml', { ...declaration, workspaces: { acme: { ...declaration.workspaces.acme, waivers } } })
    expect((await at.run(['reconcile'])).code).toBe(0)
    expect(stateOf(at.sandbox)).toEqual(['ENG devs → member', waiting])
    await stop()
  })

  test('a daemon decides by its own settings', async () => {
    await using at = await placeOf(filesOnly)
    const id = await idThatWaits(at)
    const { stop } = await started(at)
    await at.write('other.yaml', (await at.read('config.yaml')).replace('"files-only"', '"any"'))
    for (const args of [
      ['apply', '--yes', '--allow', id],
      ['approve', id, '--now', '--reason', 'INC-99'],
    ]) {
      const { code, err } = await at.run(args, { wrap })
      expect([code, err]).toEqual([3, expect.stringContaining('The daemon takes no approval: by the setting approvals: files-only')])
    }
    expect(await at.read('state/journal-000001.jsonl')).not.toContain('"entry":"approval"')
    expect(stateOf(at.sandbox)).toEqual(['ENG devs → member'])
    await stop()
  })

  test('an approval that an order gave before lets nothing pass, and status does not show it', async () => {
    const [leads] = declaration.workspaces.acme.projectRoles
    const refusing = { faults: ['POST project-mappings: 503'] }
    await using at = await openPlace({
      declaration: { version: 1, workspaces: { acme: { projectRoles: [leads] } } },
      groups,
      sandbox: refusing,
    })
    const { cycle, stop } = await started(at)
    const id = await idThatWaits(at)
    await at.run(['approve', id, '--now', '--reason', 'INC-99'])
    expect((await at.run(['status'])).out).toContain('Approvals in force (1)')
    const tried = writesTo(at.sandbox).length
    expect(tried).toBeGreaterThan(0)
    await at.settings(filesOnly)
    // The quarantine of the write before is over.
    await sleep(1_500)
    await cycle()
    expect(writesTo(at.sandbox)).toHaveLength(tried)
    const { out } = await at.run(['status'])
    expect(out).not.toContain('Approvals in force')
    expect(out).toContain('Waits for approval (1')
    await stop()
  })
})
