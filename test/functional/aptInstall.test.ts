import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'apt-'))
})
afterEach(() => rm(folder, { recursive: true }))

const script = (name: string, text: string) => writeFile(join(folder, name), `#!/bin/bash\n${text}\n`, { mode: 0o755 })
const lines = async (name: string) => (await readFile(join(folder, name), 'utf8').catch(() => '')).split('\n').slice(0, -1)

/** Runs `.ci/apt-install tree` with a fake apt, and without pauses. `fails`: the error texts of the calls of a step that fail, before a call succeeds. */
async function install(fails: { readonly update?: readonly string[]; readonly install?: readonly string[] }) {
  await script('sleep', `echo "$1" >>"${folder}/pauses"`)
  await script(
    'apt-get',
    `echo "$*" >>"${folder}/calls"
    count=$(grep -c "^$1" "${folder}/calls")
    text=$(sed -n "\${count}p" "${folder}/$1")
    if [ -n "$text" ]; then echo "E: $text" >&2; exit 100; fi`,
  )
  for (const step of ['update', 'install'] as const)
    await writeFile(join(folder, step), (fails[step] ?? []).map((text) => `${text}\n`).join(''))
  // A shell warns of a locale that the machine does not have.
  const env = { ...process.env, LC_ALL: 'C', PATH: `${folder}:${process.env['PATH']}` }
  const ended = await promisify(execFile)('.ci/apt-install', ['tree'], { env }).then(
    ({ stderr }) => ({ code: 0, stderr }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, stderr }),
  )
  const calls = (await lines('calls')).map((call) => call.split(' ')[0])
  return { ...ended, calls, pauses: (await lines('pauses')).length }
}

const lists = 'Could not get lock /var/lib/apt/lists/lock. It is held by process 4711 (apt-get)'
const frontend = 'Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend), is another process using it?'
const archives = 'Unable to lock directory /var/cache/apt/archives/'

test('installs at once where nothing is in the way', async () => {
  expect(await install({})).toEqual({ code: 0, stderr: '', calls: ['update', 'install'], pauses: 0 })
  expect((await lines('calls'))[1]).toContain('tree')
})

test('waits for another apt, in both steps, and says so', async () => {
  const { code, stderr, calls, pauses } = await install({ update: [lists, lists], install: [frontend, archives, lists] })
  expect({ code, pauses }).toEqual({ code: 0, pauses: 5 })
  expect(calls).toEqual(['update', 'update', 'update', 'install', 'install', 'install', 'install'])
  expect(stderr).toContain('another program uses apt: waiting for it')
})

test('passes over a source that does not answer', async () => {
  const gone = 'Failed to fetch https://apt.example.com/'
  expect(await install({ update: [gone] })).toMatchObject({ code: 0, calls: ['update', 'install'], pauses: 0 })
})

test('fails at once for a package that does not exist', async () => {
  const sentence = 'Unable to locate package tree'
  expect(await install({ install: [sentence] })).toMatchObject({ code: 1, stderr: `E: ${sentence}\n`, pauses: 0 })
})

test('gives up in the end, with the words of apt', async () => {
  const { code, stderr, pauses } = await install({ install: Array<string>(200).fill(frontend) })
  expect({ code, pauses }).toEqual({ code: 1, pauses: 119 })
  expect(stderr).toContain(frontend)
})
