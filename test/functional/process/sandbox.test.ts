import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startSandbox } from '../../../src/sandbox/server.ts'
import { program } from '../sandboxPage.ts'
import { openPlace } from './program.ts'
import { type Ended, follow, type Running } from './running.ts'

function start(args: readonly string[]): Running {
  const { PATH = '', HOME = '' } = process.env
  return follow(spawn(program, ['sandbox', ...args], { env: { PATH, HOME }, stdio: ['ignore', 'pipe', 'pipe'] }))
}

async function listening(running: Running): Promise<string> {
  await running.until(() => running.out().includes('/_sandbox/\n'))
  return running.out().split('\n')[0] ?? ''
}

async function stopped(running: Running): Promise<Ended> {
  running.child.kill('SIGTERM')
  return running.ended
}

async function ended(...args: readonly string[]): Promise<Ended> {
  await using running = start(args)
  // Without `await` the program would be killed before its end.
  return await running.ended
}

const list = '/api/v1/workspaces/acme/group-sync/project-mappings/'
const post = (url: string, headers: Record<string, string>) =>
  fetch(`${url}${list}?note=a%20b`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: '{"idp_group_name":"group-in-the-body","project":"ENG","role":"member"}',
  })

async function stateFile(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'plane-group-sync-sandbox-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'state.yaml'), text)
  return join(folder, 'state.yaml')
}

describe('the start', () => {
  test('prints the address, the public key, workspaces, dialect and limit', async () => {
    await using running = start(['--port', '0', '--limit', '10/s', '--dialect', 'plane'])
    const url = await listening(running)
    expect(running.out()).toBe(`${url}
  key         sandbox-key, in the header X-API-Key
  workspaces  acme (ENG, OPS)
  dialect     plane
  limit       10/second for each credential
  control     ${url}/_sandbox/
`)
    expect((await stopped(running)).code).toBe(0)
  })

  test('does not print the keys of a file, but says where they are from', async () => {
    const many = Array.from({ length: 9 }, (_, index) => `P${index}`)
    const file = await stateFile(
      `keys: [{ value: first-key-of-file }, { value: other-key-of-file }]\nworkspaces: { a: { projects: [${many.join()}] }, b: {} }\n`,
    )
    await using running = start(['--port', '0', '--state', file])
    await listening(running)
    expect(running.out()).toContain(`  key         2 in ${file}\n  workspaces  a (P0, P1, P2, P3, P4, … 4 more), b (no projects)\n`)
    expect(running.out()).not.toContain('key-of-file')
  })

  test('of a port that is taken, or an address of another machine, is refused with a sentence', async () => {
    await using other = await startSandbox()
    const { port, host } = new URL(other.url)
    expect(await ended('--port', port)).toMatchObject({
      code: 64,
      err: `${host} is in use\n  choose another --port, or 0 for any free one\n`,
    })
    expect(await ended('--port', '0', '--host', '192.0.2.1')).toMatchObject({
      code: 64,
      err: '--host 192.0.2.1: this machine has no such address\n  127.0.0.1 is for this machine alone, 0.0.0.0 for all\n',
    })
  })

  test.each([
    ['POST project-mapping: 503', 'can never strike: no address has the path project-mapping'],
    ['PUT *: 503', 'can never strike: no operation there has the method PUT'],
    ['*: 503, 150%', '"150%" is more than 100%'],
    ['*: 503, from the 0th', 'with "from the 0th" it can never strike'],
  ])('with the fault %s is refused', async (fault, why) => {
    expect(await ended('--port', '0', '--fault', fault)).toMatchObject({ code: 64, out: '', err: expect.stringContaining(why) })
  })
})

describe('each request has a line', () => {
  const fault = 'POST project-mappings: 503 after commit, once'

  test('as JSON: without its body, and without any key', async () => {
    const file = await stateFile(
      'keys: [{ value: secret-key-of-file, owner: ann, name: the tester }]\nworkspaces: { acme: { projects: [ENG] } }\n',
    )
    await using running = start(['--port', '0', '--state', file, '--log-format', 'json', '--fault', fault, '--fault', 'DELETE *: 500'])
    const url = await listening(running)
    await post(url, { 'X-API-Key': 'secret-key-of-file' })
    await post(url, { 'X-API-Key': 'wrong-key' })
    await fetch(`${url}${list}?key=secret-key-of-file`)
    await fetch(`${url}/_sandbox/`)
    const { err, code } = await stopped(running)
    expect(code).toBe(0)
    const query = 'note=a%20b'
    expect(running.log()).toMatchObject([
      {
        ...{
          level: 'info',
          event: 'request',
          method: 'POST',
          path: list,
          query,
          status: 503,
          credential: 'the tester',
          remaining: 59,
          faults: [fault],
        },
        msg: expect.stringMatching(
          /^POST \/api\/\S+\/project-mappings\/\?note=a%20b 503 in \d+ ms · credential the tester · 59 left · fault "POST .* once"$/,
        ),
      },
      { event: 'request', status: 401, credential: 'refused key', faults: [] },
      { event: 'request', status: 401, credential: 'none', query: 'key=•••' },
      {
        level: 'warn',
        event: 'fault',
        fault: 'DELETE *: 500',
        matched: 0,
        msg: 'fault "DELETE *: 500" never struck: no request matched it',
      },
    ])
    expect(err).not.toMatch(/group-in-the-body|key-of-file|wrong-key/)
  })

  test('as text; no line at the level warn but for faults that never struck', async () => {
    await using pretty = start(['--port', '0', '--log-format', 'pretty'])
    await fetch(`${await listening(pretty)}/api/v1/users/me/`, { headers: { 'X-API-Key': 'sandbox-key' } })
    expect((await stopped(pretty)).err).toMatch(
      /^\[[\d:]+\] INFO: GET \/api\/v1\/users\/me\/ 200 in \d+ ms · credential admin · 59 left\n$/,
    )
    await using quiet = start(['--port', '0', '--log-level', 'warn', '--fault', 'GET users: 500, 1%, from the 9th'])
    await fetch(`${await listening(quiet)}/api/v1/users/me/`)
    expect((await stopped(quiet)).err).toContain('never struck: 1 request matched it, and its chance or its turn did not come')
    expect(quiet.log()).toHaveLength(1)
  })

  test('also one whose connection was cut, and keys that came later are hidden, too', async () => {
    await using running = start(['--port', '0', '--log-format', 'json'])
    const url = await listening(running)
    await fetch(`${url}/_sandbox/state`, { method: 'PUT', body: 'keys: [{ value: key-that-came-later }]' })
    await fetch(`${url}/_sandbox/faults`, { method: 'PUT', body: '{"faults":["GET users: reset"]}' })
    await fetch(`${url}/api/v1/users/me/?key=key-that-came-later`).catch(() => undefined)
    const { err } = await stopped(running)
    expect(running.log()).toMatchObject([
      { event: 'request', faults: ['GET users: reset'], msg: expect.stringContaining(' no answer in ') },
    ])
    expect(err).not.toContain('key-that-came-later')
  })
})

test('--help lists examples, every fault and every endpoint, in 80 columns', async () => {
  const { out, code } = await ended('--help')
  expect(code).toBe(0)
  for (const text of ["--fault 'POST", 'duplicates 409', 'from the 40th', 'PUT /_sandbox/state', 'x-ratelimit']) expect(out).toContain(text)
  const [, details = ''] = out.split('\nFaults\n')
  expect(details.split('\n').filter((line) => line.length > 80)).toEqual([])
})

test('the program names itself to Plane, with its version', async () => {
  const { version } = JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string }
  await using place = await openPlace({ declaration: { version: 1, workspaces: { acme: { projectRoles: [] } } }, groups: ['devs'] })
  expect((await place.run(['plan'])).code).toBe(0)
  expect(new Set(place.sandbox.requests.map(({ userAgent }) => userAgent))).toEqual(new Set([`plane-group-sync/${version}`]))
})
