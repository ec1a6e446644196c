import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { badInput } from './bad-input-table.ts'
import { flat, give } from './bad-input-world.ts'

/** Each row runs the real program as a process. If a text does not say what a person needs at two in the morning, the program is wrong. */
describe.concurrent.each(badInput)('$title', ({ title, rows }) => {
  test.each(rows)('$what', async (row) => {
    const { exit, out, err, writes } = await give(row)
    // The writes from other files of the declaration are logged before the mistakes, and their plan follows.
    if (title === 'Refused')
      expect(
        `${err}${out}`
          .replaceAll(/^\{"level".*\n/gm, '')
          .split(/\n\n(?:Invalid|Not read): /)[0]
          ?.trimEnd(),
      ).toBe(row.shows)
    else expect(flat(`${out}${err}`)).toContain(flat(row.shows))
    expect(exit, `${out}${err}`).toBe(row.exit)
    expect(writes).toHaveLength(row.writes ?? 0)
  })
})

test('a key that is a group name, too, is in no output and in no saved plan', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bad-input-'))
  const file = join(folder, 'plan.json')
  const rule = '{ group: sandbox-key, project: ENG, role: member }'
  const files = {
    'groups.yaml': `{ version: 1, workspaces: { acme: { projectRoles: [${rule}] } } }`,
    'corp.yaml': 'groups: [{ name: sandbox-key }]',
  }
  try {
    const { exit, out, err } = await give({ files, args: ['plan', '--out', file] })
    expect(exit).toBe(0)
    expect(out + err + (await readFile(file, 'utf8'))).not.toContain('sandbox-key')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
