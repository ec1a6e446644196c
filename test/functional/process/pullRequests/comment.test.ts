import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Answer, openRunner, zipped } from './steps.ts'

/* The comment jobs of config/pull-requests, with hostile plans. */

const marker = '<!-- plane-group-sync plan -->'
const sha = 'c0ffee0123456789c0ffee0123456789c0ffee01'
/** A name that a shell would execute, if a step had it in its text. */
const branchName = 'x$(touch executed)`touch executed`'

const given = {
  'github.token': 'token',
  'github.event.repository.default_branch': 'main',
  'github.event.workflow_run.id': '77',
  'github.event.workflow_run.head_sha': sha,
  'github.event.workflow_run.head_branch': branchName,
  'github.event.workflow_run.head_repository.owner.login': 'mallory',
  'github.event.workflow_run.head_repository.full_name': 'mallory/access',
}
const pull = { number: 7, head: { sha, repo: { full_name: 'mallory/access' } }, base: { sha: 'ba5e' } }

type World = {
  readonly pulls?: readonly unknown[]
  readonly files?: readonly unknown[]
  readonly artifacts?: readonly unknown[]
  readonly zip?: string
  readonly comments?: readonly unknown[]
}
const onGithub = ({ pulls, files, artifacts, zip, comments }: World): readonly Answer[] => [
  { program: 'gh', to: 'acme/access/pulls', json: pulls ?? [pull] },
  { program: 'gh', to: `compare/ba5e...${sha}`, json: { files: files ?? [{ filename: 'groups/acme.yaml' }] } },
  { program: 'gh', to: 'runs/77/artifacts', json: { artifacts: artifacts ?? [{ id: 5, name: 'plan', size_in_bytes: 900 }] } },
  { program: 'gh', to: 'artifacts/5/zip', bytes: zip ?? '' },
  { program: 'gh', to: 'issues/7/comments?per_page=100', json: comments ?? [] },
  { program: 'gh', to: '--method', json: {} },
]

/** What is written to GitHub, and nothing else may be. */
async function commentsFor(world: World) {
  await using runner = await openRunner()
  await runner.answers(onGithub(world))
  const { code, out, err } = await runner.github('comment.yml', 'comment', given)
  expect(err).toBe('')
  expect(code).toBe(0)
  expect(existsSync(runner.path('executed'))).toBe(false)
  const writes = (await runner.calls()).filter(({ args }) => args.includes('--method') && !args.includes('GET'))
  return { out, written: writes.map(({ args, input }) => ({ method: args[2], address: args[3], body: input?.body ?? '' })) }
}

const withPlan = (text: string): Promise<string> =>
  zipped(`printf %s ${Buffer.from(text).toString('base64')} | base64 -d > plan.md; zip -q made.zip plan.md`)

test('a plan becomes one comment, which a later one replaces', async () => {
  const zip = await withPlan('### `acme`: 1 create\n\n| `ENG` | `a@example.com` |\n')
  const first = await commentsFor({ zip })
  expect(first.written).toHaveLength(1)
  expect(first.written[0]).toMatchObject({ method: 'POST', address: 'repos/acme/access/issues/7/comments' })
  expect(first.written[0]?.body).toMatch(
    new RegExp(`^${marker}\n\\*\\*Plan of c0ffee0123\\*\\* \\(\\[run\\]\\(https://github.com/acme/access/actions/runs/77\\)\\)\n\n### `),
  )
  const mine = { id: 31, user: { login: 'github-actions[bot]' }, body: `${marker}\nbefore` }
  const comments = [{ ...mine, id: 29, user: { login: 'mallory' } }, { ...mine, id: 30, body: `see ${marker}` }, mine]
  const later = await commentsFor({ zip, comments })
  expect(later.written).toMatchObject([{ method: 'PATCH', address: 'repos/acme/access/issues/comments/31' }])
})

const other = 'left something else than one file'
test.each([
  ['another name', 'echo x > other.md; zip -q made.zip other.md', other],
  ['a second file', 'echo x > plan.md; echo y > more; zip -q made.zip plan.md more', other],
  ['a path', 'mkdir a; echo x > a/plan.md; zip -q made.zip a/plan.md', other],
  ['a path above', 'mkdir a; echo x > plan.md; cd a; zip -q ../made.zip ../plan.md', other],
  ['a name that begins as an option', 'echo x > ./-p; zip -q made.zip ./-p', other],
  ['10 MB', 'head -c 10000000 /dev/zero | tr "\\0" x > plan.md; zip -q made.zip plan.md', 'cannot be read'],
  ['no UTF-8', 'printf "a\\xff" > plan.md; zip -q made.zip plan.md', 'not UTF-8'],
  ['a password', 'echo x > plan.md; zip -q -P secret made.zip plan.md', 'cannot be read'],
  ['no zip', 'echo x > made.zip', other],
])('%s is refused, and the comment says so', async (_, make, why) => {
  const { written, out } = await commentsFor({ zip: await zipped(make) })
  expect(written).toHaveLength(1)
  expect(written[0]?.body).toContain('No plan. ')
  expect(written[0]?.body).toContain(why)
  expect(out).toBe('')
})

test('of a link only its text is shown, and it leads nowhere', async () => {
  const { written } = await commentsFor({ zip: await zipped('ln -s /etc/passwd plan.md; zip -q --symlinks made.zip plan.md') })
  expect(written[0]?.body).toMatch(/\n\n\u200b\/etc\/passwd$/)
})

test.each([
  ['a mention', 'see @everyone, &#64;everyone; &commat;ann', 'see @~everyone, &#64;~everyone;~ &commat;~ann'],
  ['commands', '/merge\n  /approve\r\n> - /close\r/lgtm', '~/merge\n  ~/approve\n> - ~/close\n~/lgtm'],
  ['the end of the marker', `--> <!-- x\n${marker}`, '--> <~!-- x\n<~!-- plane-group-sync plan -->'],
  ['pictures, links and HTML', '![a](http://b) <a href="x"> [c]: //d www.e', '![a]~(http:~//b) <~a href="x"> [c]~: //d www~.e'],
  ['references', 'GH #12 and !13', 'GH #~12 and !~13'],
  ['what is not seen', 'a\u0000b\u0007c\u202ed\u200be\ufefff', 'abcdef'],
  ['lines for the log', '::add-mask::x\n::stop-commands::y', '::add-mask::x\n::stop-commands::y'],
  [
    'the words of the program',
    '> [!CAUTION]\n> x\n\n<details open><summary>a</summary>\n\n| `/eng` | <code>&#35;x</code> |\n\n</details>\n\n<sub>b</sub>',
    '> [!CAUTION]\n> x\n\n<details open><summary>a</summary>\n\n| `/eng` | <code>&#35;~x</code> |\n\n</details>\n\n<sub>b</sub>',
  ],
])('%s: nothing of it acts', async (_, text, shown) => {
  const { written, out } = await commentsFor({ zip: await withPlan(text) })
  expect(written[0]?.body.split('\n\n').slice(1).join('\n\n')).toBe(shown.replaceAll('~', '\u200b'))
  expect(out).toBe('')
})

test('a plan that grows by what breaks its signs is cut', async () => {
  const { written } = await commentsFor({ zip: await withPlan('@'.repeat(60_000)) })
  expect(written[0]?.body.length).toBeLessThan(61_000)
})

test.each([
  ['a workflow', [{ filename: '.github/workflows/plan.yml' }]],
  ['a workflow under another name', [{ filename: 'old.yml', previous_filename: '.github/workflows/comment.yml' }]],
  ['a link in its place', [{ filename: '.github' }]],
  ['more files than GitHub lists', Array.from({ length: 300 }, (_, index) => ({ filename: `groups/${index}.yaml` }))],
])('a branch that edits %s gets no plan', async (_, files) => {
  const { written } = await commentsFor({ files, zip: await withPlan('all is well') })
  expect(written[0]?.body).toContain('No plan. This branch edits `.github/`')
  expect(written[0]?.body).not.toContain('all is well')
})

test.each([
  ['no artifact', []],
  [
    'two of one name',
    [
      { id: 5, name: 'plan', size_in_bytes: 9 },
      { id: 6, name: 'plan', size_in_bytes: 9 },
    ],
  ],
  ['one of 10 MB', [{ id: 5, name: 'plan', size_in_bytes: 10_000_000 }]],
])('%s: the comment says that there is no plan', async (_, artifacts) => {
  const { written } = await commentsFor({ artifacts })
  expect(written[0]?.body).toContain('No plan. The plan job left no plan.')
})

test.each([
  ['a newer commit', { ...pull, head: { ...pull.head, sha: 'ffff' } }],
  ['another repository', { ...pull, head: { ...pull.head, repo: { full_name: 'mallory/other' } } }],
  ['a fork that is gone', { ...pull, head: { ...pull.head, repo: null } }],
])('%s: nothing is written', async (_, one) => {
  expect((await commentsFor({ pulls: [one], zip: await withPlan('x') })).written).toEqual([])
})

test('GitLab: a note is written, kept while it is equal, and replaced', async () => {
  await using runner = await openRunner()
  const project = 'https://gitlab.example.com/api/v4/projects/acme%2Faccess'
  const request = {
    sha,
    target_project_id: 1,
    head_pipeline: { id: 8, project_id: 1, source: 'merge_request_event', status: 'success', web_url: 'https://gitlab.example.com/8' },
  }
  const text = (of: string) => Buffer.from(of).toString('base64')
  const world = (notes: readonly unknown[], plan = '/merge @all\n', one: object = request, path = '.gitlab-ci.yml@acme/access-ci:main') =>
    runner.answers([
      { program: 'curl', to: '/notes', json: notes },
      { program: 'curl', to: `${project}/merge_requests/3`, json: one },
      { program: 'curl', to: `${project}/merge_requests?`, json: [{ iid: 3 }] },
      {
        program: 'curl',
        to: 'pipelines/8/jobs',
        json: [
          { id: 9, name: 'prepare' },
          { id: 10, name: 'plan' },
        ],
      },
      { program: 'curl', to: 'jobs/10/artifacts/plan.md', bytes: text(plan) },
      { program: 'curl', to: '/user', json: { id: 42 } },
      { program: 'curl', to: project, json: { default_branch: 'main', ci_config_path: path } },
    ])
  const env = { PROJECT: 'acme/access', CI_PROJECT_PATH: 'acme/access-ci', CI_COMMIT_REF_NAME: 'main', NOTES_TOKEN: 'secret-token' }
  let seen = 0
  const written = async () => {
    expect(await runner.gitlab('comment', env)).toMatchObject({ code: 0, err: '', out: '' })
    const calls = await runner.calls()
    const now = calls.slice(seen)
    seen = calls.length
    expect(JSON.stringify(now)).not.toContain('secret-token')
    return now.flatMap(({ args, input }) =>
      input === undefined ? [] : [{ method: args[args.indexOf('--request') + 1], address: args.at(-1), body: input.body }],
    )
  }
  await world([])
  const [first] = await written()
  expect(first).toMatchObject({ method: 'POST', address: `${project}/merge_requests/3/notes` })
  expect(first?.body).toMatch(new RegExp(`^${marker}\n.*c0ffee0123.*gitlab.example.com/8.*\n\n\u200b/merge @\u200ball\n$`))
  const mine = { id: 5, author: { id: 42 }, body: first?.body }
  await world([{ ...mine, id: 4, author: { id: 43 } }, mine])
  expect(await written()).toEqual([])
  await world([mine], 'another plan')
  expect(await written()).toMatchObject([{ method: 'PUT', address: `${project}/merge_requests/3/notes/5` }])
  await world([mine], 'x'.repeat(10_000_000))
  expect(await written()).toMatchObject([{ method: 'PUT', body: expect.stringContaining('No plan. The plan is too long') }])
  await world([], '\xff', { ...request, head_pipeline: { ...request.head_pipeline, project_id: 2 } })
  expect(await written()).toEqual([])
  await world([], 'x', request, '')
  const refused = await runner.gitlab('comment', env)
  expect(refused).toMatchObject({ code: 1 })
  expect(refused.err).toContain('a branch may make its own plan')
})
