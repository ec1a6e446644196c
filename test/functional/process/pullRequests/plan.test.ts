import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPlace, type Place } from '../program.ts'
import { type Answer, openRunner, type Runner, zipped } from './steps.ts'

/* The jobs of config/pull-requests that record and plan: real git with two branches, the real program with a real recording, and stand-ins for the hosts. */

let place: Place
let recording: { readonly text: string; readonly zip: string }
beforeAll(async () => {
  const declaration = { version: 1, workspaces: { acme: { projectRoles: [{ group: 'devs', project: 'ENG', role: 'guest' }] } } }
  place = await openPlace({ declaration, groups: ['devs', 'ops'] })
  expect((await place.run(['apply', '--yes'])).code).toBe(0)
  expect((await place.run(['record', '--out', 'recording.json'])).code).toBe(0)
  const text = await place.read('recording.json')
  recording = { text, zip: await zipped(`cp ${place.path('recording.json')} . && zip -q made.zip recording.json`) }
})
afterAll(() => place[Symbol.asyncDispose]())

const rules = (...rows: readonly object[]) => JSON.stringify({ version: 1, workspaces: { acme: { projectRoles: rows } } })
const [devs, ops] = [
  { group: 'devs', project: 'ENG', role: 'guest' },
  { group: 'ops', project: 'OPS', role: 'member' },
]
const settings = 'version: 1\nservice: { baseUrl: "https://plane.example.com" }\nworkspaces: { acme: {} }\ndeclaration: groups\n'

/** A repository with the protected branch, a branch that adds a rule, and the merge of both, which is what GitHub checks out. */
async function openRepository(runner: Runner, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const origin = join(runner.folder, '../origin')
  const write = async (files: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(join(origin, name, '..'), { recursive: true })
      await writeFile(join(origin, name), text)
    }
    await runner.git(origin, 'add', '--all')
    await runner.git(origin, 'commit', '--quiet', '--message', 'a commit')
  }
  await mkdir(origin)
  await runner.git(origin, 'init', '--quiet')
  await write({ 'config.yaml': settings, 'groups/acme.yaml': rules(devs) })
  await runner.git(origin, 'checkout', '--quiet', '-b', 'feature')
  await write({ 'groups/acme.yaml': rules(devs, ops), '.gitattributes': '* export-ignore\n', ...more })
  await runner.git(origin, 'checkout', '--quiet', 'main')
  await write({ 'groups/later.yaml': rules({ group: 'devs', project: 'OPS', role: 'guest' }) })
  await runner.git(origin, 'checkout', '--quiet', '-b', 'merge')
  await runner.git(origin, 'merge', '--quiet', '--no-edit', 'feature')
  return origin
}

const given = { 'github.token': 'token', 'github.event.repository.default_branch': 'main' }
const made = { id: 70, event: 'schedule', conclusion: 'success', head_branch: 'main', head_repository: { full_name: 'acme/access' } }
const onGithub = (runs: readonly unknown[] = [made], zip = recording.zip): readonly Answer[] => [
  { program: 'gh', to: 'workflows/record.yml/runs', json: { workflow_runs: runs } },
  { program: 'gh', to: 'runs/70/artifacts', json: { artifacts: [{ id: 6, name: 'recording', expired: false }] } },
  { program: 'gh', to: 'artifacts/6/zip', bytes: zip },
]
/** As actions/checkout does it, with two commits. */
async function checkOut(runner: Runner, origin: string, branch = 'merge'): Promise<void> {
  await mkdir(runner.path('branch'))
  const inBranch = runner.path('branch')
  await runner.git(inBranch, 'init', '--quiet')
  await runner.git(inBranch, 'fetch', '--quiet', '--depth=2', `file://${origin}`, branch)
  await runner.git(inBranch, 'checkout', '--quiet', 'FETCH_HEAD')
}

test('GitHub: the merge is planned beside its base, from the recording of the protected branch', async () => {
  await using runner = await openRunner()
  const origin = await openRepository(runner)
  await checkOut(runner, origin)
  await runner.answers(onGithub([{ ...made, id: 69, event: 'pull_request' }, made]))
  const ended = await runner.github('plan.yml', 'plan', given)
  expect(ended.err).toBe('')
  expect(ended.code).toBe(0)
  expect(await runner.read('plan.md')).toContain('| + | `OPS` | `ops` | `→ member` |')
  expect(JSON.parse(await runner.read('plan.json'))).toMatchObject({ format: 'plane-group-sync/plan' })
  expect((await stat(runner.path('recording.json'))).mode & 0o777).toBe(0o600)
  expect(await runner.read('base/groups/acme.yaml')).toBe(rules(devs))
  expect(existsSync(runner.path('base/groups/later.yaml'))).toBe(true)
  const runs = (await runner.calls()).filter(({ program }) => program === 'docker')
  expect(runs.map(({ args }) => args.at(-1))).toEqual(['github', 'markdown', 'json'])
  for (const { args } of runs) {
    expect(args.join(' ')).toMatch(
      /^run --rm --network none --read-only --cap-drop ALL --user \d+ --volume \S+:\/input:ro --workdir \/empty \S+@sha256:/,
    )
    expect(args).not.toContain('--env')
  }
  expect(runs[1]?.args.slice(-13).join(' ')).toBe(
    'plan --recorded /input/recording.json --recorded-max-age 24h --config /input/branch/config.yaml --declaration /input/branch/groups --base /input/base/groups -o markdown',
  )
})

test('GitHub: a mistake becomes an annotation at its line, and there is no plan', async () => {
  await using runner = await openRunner()
  await checkOut(runner, await openRepository(runner, { 'groups/acme.yaml': 'version: 1\nworkspace: {}\n' }))
  await runner.answers(onGithub())
  const { code, out } = await runner.github('plan.yml', 'plan', given)
  expect(code).toBe(78)
  expect(out).toMatch(/^::error file=groups\/acme\.yaml,line=2,col=1,title=/m)
  expect(existsSync(runner.path('plan.md'))).toBe(false)
})

test('GitHub: a checkout that is no merge has no base', async () => {
  await using runner = await openRunner()
  await checkOut(runner, await openRepository(runner), 'feature')
  await runner.answers(onGithub())
  expect((await runner.github('plan.yml', 'plan', given)).code).not.toBe(0)
  expect(await runner.calls()).toEqual([])
})

const fork = { full_name: 'mallory/access' }
test.each([
  ['a pull request, whose branch has the name of the protected one', { ...made, event: 'pull_request', head_repository: fork }],
  ['a fork', { ...made, head_repository: fork }],
  ['another branch', { ...made, event: 'workflow_dispatch', head_branch: 'feature' }],
  ['a run that failed', { ...made, conclusion: 'failure' }],
])('GitHub: no recording is taken from %s', async (_, run) => {
  await using runner = await openRunner()
  await checkOut(runner, await openRepository(runner))
  await runner.answers(onGithub([run]))
  const { code, err } = await runner.github('plan.yml', 'plan', given)
  expect({ code, err }).toEqual({ code: 1, err: 'no run of record.yml on the protected branch has made a recording\n' })
  expect(existsSync(runner.path('recording.json'))).toBe(false)
})

test('GitHub: a policy is that of the base, never that of the branch', async () => {
  await using runner = await openRunner()
  const policy = await readFile(join(import.meta.dirname, '../../../../config/pull-requests/policy.mjs'), 'utf8')
  const origin = await openRepository(runner, { 'groups/acme.yaml': rules(devs, { ...ops, role: 'admin' }) })
  await runner.git(origin, 'checkout', '--quiet', 'main')
  await mkdir(join(origin, '.github'))
  await writeFile(join(origin, '.github/policy.mjs'), policy)
  await runner.git(origin, 'add', '--all')
  await runner.git(origin, 'commit', '--quiet', '--message', 'a policy')
  await runner.git(origin, 'checkout', '--quiet', 'merge')
  await runner.git(origin, 'merge', '--quiet', '--no-edit', 'main')
  await runner.git(origin, 'checkout', '--quiet', '-b', 'weaker')
  await writeFile(join(origin, '.github/policy.mjs'), 'process.exitCode = 0\n')
  await runner.git(origin, 'commit', '--quiet', '--all', '--message', 'no policy')
  await runner.git(origin, 'checkout', '--quiet', '-B', 'merge', 'main')
  await runner.git(origin, 'merge', '--quiet', '--no-ff', '--no-edit', 'weaker')
  await checkOut(runner, origin)
  expect(await runner.read('branch/.github/policy.mjs')).not.toBe(policy)
  await runner.answers(onGithub())
  const { code, out } = await runner.github('plan.yml', 'plan', given)
  expect(code).toBe(1)
  expect(out).toContain('refused, since the rule has no reason: "acme/project/OPS/ops"\n')
  expect(await runner.read('plan.md')).toContain('`ops`')
})

const kubectl: Answer = { program: 'kubectl', to: '-- plane-group-sync record --fresh --out -', json: { format: 'a recording' } }
const recorder = { ...given, 'secrets.RECORDER_KUBECONFIG': 'secret-of-the-cluster' }

test('GitHub: the recording is made beside the daemon, and only for a repository that is not public', async () => {
  await using runner = await openRunner()
  await runner.answers([kubectl, { program: 'gh', to: 'repos/acme/access', json: { visibility: 'public' } }])
  expect((await runner.github('record.yml', 'record', recorder)).err).toContain('a public repository has no place for a recording')
  expect((await runner.calls()).filter(({ program }) => program === 'kubectl')).toEqual([])
  await runner.answers([kubectl, { program: 'gh', to: 'repos/acme/access', json: { visibility: 'private' } }])
  expect(await runner.github('record.yml', 'record', recorder)).toMatchObject({ code: 0, out: '', err: '' })
  expect(JSON.stringify(await runner.calls())).not.toContain('secret-of-the-cluster')
  expect(existsSync(runner.path('recording.json'))).toBe(false) // the last step leaves nothing
})

test('GitLab: the recording is made beside the daemon, and only for a project that is not public', async () => {
  await using runner = await openRunner()
  await runner.answers([kubectl])
  const env = { RECORDER_KUBECONFIG: '/kubeconfig', CI_PROJECT_VISIBILITY: 'public' }
  expect((await runner.gitlab('record', env)).code).toBe(1)
  expect(await runner.gitlab('record', { ...env, CI_PROJECT_VISIBILITY: 'private' })).toMatchObject({ code: 0, err: '' })
  expect((await stat(runner.path('recording.json'))).mode & 0o777).toBe(0o600)
  await runner.answers([{ ...kubectl, fails: 1 }])
  expect((await runner.gitlab('record', { ...env, CI_PROJECT_VISIBILITY: 'private' })).code).toBe(1)
})

test('GitLab: the merge request is planned beside its base, whatever names and files it has', async () => {
  await using runner = await openRunner()
  const origin = await openRepository(runner, { 'input/base/groups/acme.yaml': 'of the branch', 'input/recording.json': '{}' })
  const target = 'release$(touch${IFS}executed)'
  await runner.git(origin, 'branch', '-m', 'main', target)
  await runner.git(runner.folder, 'clone', '--quiet', '--branch', 'feature', origin, '.')
  const zip = Buffer.from(recording.text).toString('base64')
  await runner.answers([{ program: 'curl', to: 'projects/1/jobs/artifacts/main/raw/recording.json?job=record', bytes: zip }])
  const env = { CI_MERGE_REQUEST_TARGET_BRANCH_NAME: target, CI_JOB_TOKEN: 'secret-token', CI_PROJECT_ID: '1', CI_DEFAULT_BRANCH: 'main' }
  expect(await runner.gitlab('prepare', env)).toMatchObject({ code: 0, err: '' })
  expect(existsSync(runner.path('executed'))).toBe(false)
  expect(JSON.stringify(await runner.calls())).not.toContain('secret-token')
  expect(await runner.read('input/base/groups/acme.yaml')).toBe(rules(devs))
  expect(existsSync(runner.path('input/base/groups/later.yaml'))).toBe(false) // the merge base of a branch that is behind
  // The next job begins in an empty folder, with the artifact alone.
  await using next = await openRunner()
  await rename(runner.path('input'), next.path('input'))
  expect(await next.gitlab('plan', env)).toMatchObject({ code: 0, err: '' })
  expect(await next.read('plan.md')).toContain('| + | `OPS` | `ops` | `→ member` |')
  const [, call] = await next.calls()
  expect(call?.args.join(' ')).toContain(
    `--declaration ${next.path('input/branch/groups')} --base ${next.path('input/base/groups')} -o markdown`,
  )
})
