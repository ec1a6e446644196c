import { cp, readFile, rename, rm } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { doublesOf, openPlace, stateOf } from './program.ts'

// The daemon may write into the folder at this moment. A rename takes the folder away at once, and no new file keeps it.
const remove = async (path: string) => {
  await rename(path, `${path}.gone`)
  await rm(`${path}.gone`, { recursive: true, maxRetries: 10 })
}

const replaceByCopy = async (path: string) => {
  await cp(path, `${path}.copy`, { recursive: true, preserveTimestamps: true, filter: (file) => !file.endsWith('.new') })
  await remove(path)
  await rename(`${path}.copy`, path)
}

describe.concurrent('a daemon', () => {
  const groups = ['a', 'b', 'c']
  const declared = (names: readonly string[]) => ({
    version: 1,
    workspaces: { acme: { projectRoles: [{ groups: names, project: 'ENG', role: 'member' }] } },
  })
  const whole = groups.map((group) => `ENG ${group} → member`)

  test.each([
    ['replaced by its own copy', replaceByCopy, 'another file has this name now'],
    ['removed', remove, 'the folder of the journal was removed'],
  ])(
    'whose folder is %s writes nothing more, says so and ends with 1; the next one makes nothing twice',
    async (_how, change, sentence) => {
      await using place = await openPlace({ declaration: declared(['a']), groups })
      const daemon = place.start(['run'])
      await daemon.until(() => daemon.log().some(({ event }) => event === 'summary'))
      await change(place.path('state'))
      await place.write('groups.yaml', declared(groups))
      daemon.child.kill('SIGHUP')
      const { code, err } = await daemon.ended
      expect([code, stateOf(place.sandbox)]).toEqual([1, whole.slice(0, 1)])
      expect(err).toContain(sentence)
      expect(err).not.toContain('taken over')
      expect((await place.run(['apply', '--yes'])).code).toBe(0)
      expect([stateOf(place.sandbox), doublesOf(place.sandbox)]).toEqual([whole, []])
    },
  )

  test('whose files are removed says loudly that the record of its writes is lost', async () => {
    await using place = await openPlace({ declaration: declared(['a']), groups })
    const daemon = place.start(['run'])
    await daemon.until(() => daemon.log().some(({ event }) => event === 'summary'))
    await rm(place.path('state/journal-000001.jsonl'))
    daemon.child.kill('SIGHUP')
    const { code, err } = await daemon.ended
    expect(code).toBe(1)
    expect(err).toContain('journal-000001.jsonl: this file of the journal was removed while this process used it')
    expect(await readFile(place.path('state/journal-000001.jsonl'), 'utf8').catch(() => 'not there')).toBe('not there')
  })
})
