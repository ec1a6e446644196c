import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { root } from './files.ts'

const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')
const folder = 'config/pull-requests'
const files = ['github/record.yml', 'github/plan.yml', 'github/comment.yml', 'gitlab/.gitlab-ci.yml', 'policy.mjs']
const page = textOf('docs/pull-requests.md')

type Step = { readonly uses?: string; readonly run?: string; readonly env?: unknown }
type Job = { readonly permissions: unknown; readonly steps: readonly Step[]; readonly env?: unknown; readonly environment?: string }
type Workflow = { readonly on: object; readonly permissions: unknown; readonly env?: unknown; readonly jobs: Readonly<Record<string, Job>> }
const workflows = ['record', 'plan', 'comment'].map((name) => {
  const text = textOf(`${folder}/github/${name}.yml`)
  const workflow = parse(text) as Workflow
  return { name, text, workflow, job: workflow.jobs[name] as Job }
})
const named = (name: string) => workflows.find((one) => one.name === name) as (typeof workflows)[number]

describe.each(workflows.map((one) => [one.name, one] as const))('the workflow "%s" for GitHub', (_name, { text, workflow, job }) => {
  test('runs no code of a branch with rights of the protected one', () => {
    expect(text).not.toMatch(/pull_request_target|issue_comment/)
    expect(workflow.permissions).toEqual({})
    expect(Object.keys(workflow.jobs)).toHaveLength(1)
  })

  test('has no expression in a command, and hands nothing to later steps but files', () => {
    const commands = job.steps.flatMap(({ run }) => run ?? [])
    expect(commands.length).toBeGreaterThan(2)
    expect(commands.filter((command) => /\$\{\{|GITHUB_(?:ENV|OUTPUT|PATH|STEP_SUMMARY)|::[a-z-]+::/.test(command))).toEqual([])
  })

  test('takes actions by a commit only', () => {
    const used = job.steps.flatMap(({ uses }) => uses ?? [])
    expect(used.filter((action) => !/@(?:<commit of its release>|[0-9a-f]{40})$/.test(action))).toEqual([])
  })
})

describe('what each job for GitHub may do', () => {
  test('plan: the event of the branch, no secret, only reading, the program by its digest', () => {
    const { text, workflow, job } = named('plan')
    expect(Object.keys(workflow.on)).toEqual(['pull_request'])
    expect(text).not.toMatch(/secrets[.[]|: write|id-token|environment:/)
    expect(job.permissions).toEqual({ contents: 'read', actions: 'read' })
    expect(workflow.env).toMatchObject({ IMAGE: expect.stringMatching(/@sha256:(?:<digest of the release>|[0-9a-f]{64})$/) })
    const checkout = job.steps.find(({ uses }) => uses?.startsWith('actions/checkout@'))
    expect(checkout).toMatchObject({ with: { path: 'branch', 'persist-credentials': false } })
  })

  test('comment: the event of the finished run, no checkout, no action, only comments', () => {
    const { text, workflow, job } = named('comment')
    expect(workflow.on).toEqual({ workflow_run: { workflows: ['plan'], types: ['completed'] } })
    expect(job.permissions).toEqual({ actions: 'read', contents: 'read', 'pull-requests': 'write' })
    expect(job.steps.filter(({ uses }) => uses !== undefined)).toEqual([])
    expect(text).not.toMatch(/secrets[.[]|git (?:clone|fetch|checkout)/)
    const writes = [...text.matchAll(/--method (?!GET)(\w+) "([^"]+)"/g)].map(([, method, address]) => `${method} ${address}`)
    expect(writes).toEqual([
      'PATCH repos/$GITHUB_REPOSITORY/issues/comments/$comment',
      'POST repos/$GITHUB_REPOSITORY/issues/$number/comments',
    ])
  })

  test('record: only by the clock or by hand, with the secret of an environment', () => {
    const { workflow, job } = named('record')
    expect(Object.keys(workflow.on)).toEqual(['schedule', 'workflow_dispatch'])
    expect(job).toMatchObject({ permissions: { contents: 'read' }, environment: 'recording' })
  })
})

describe('the file for GitLab', () => {
  const text = textOf(`${folder}/gitlab/.gitlab-ci.yml`)
  const jobs = parse(text) as Readonly<
    Record<string, { readonly rules: readonly { readonly if: string }[]; readonly script: readonly string[] }>
  >

  test('gives the secrets to schedules of the protected branch only', () => {
    const withSecrets = Object.entries(jobs).filter(([, job]) => /NOTES_TOKEN|RECORDER_KUBECONFIG/.test(JSON.stringify(job.script ?? '')))
    expect(withSecrets.map(([name]) => name)).toEqual(['record', 'comment'])
    for (const [name, { rules }] of withSecrets) expect(rules).toEqual([{ if: `$CI_PIPELINE_SOURCE == "schedule" && $TASK == "${name}"` }])
    expect(text).toContain('- if: $CI_PIPELINE_SOURCE == "schedule" && $CI_COMMIT_REF_PROTECTED == "true"\n')
  })

  test('has images by their digests only', () => {
    const images = [...text.matchAll(/(?:&\w+|image:) (registry\S+.*)/g)].map(([, image]) => image)
    expect(images).toHaveLength(2)
    for (const image of images) expect(image).toMatch(/@sha256:(?:<[^>]+>|[0-9a-f]{64})$/)
  })

  test('breaks the signs of a plan as the workflow for GitHub does', () => {
    const inert = (of: string) => /def inert:[^]*?join\("\\n"\);/.exec(of)?.[0].replaceAll(/\n\s+/g, '\n')
    expect(inert(text)).toBe(inert(named('comment').text))
    expect(inert(text)?.length).toBeGreaterThan(500)
  })
})

describe('docs/pull-requests.md', () => {
  test('links each file, and names each blank and each secret', () => {
    for (const file of files) expect(page).toContain(`](../${folder}/${file})`)
    const all = files.map((file) => textOf(`${folder}/${file}`)).join('\n')
    const blanks = new Set([...all.matchAll(/@(?:sha256:)?<[^>]+>/g)].map(([blank]) => blank))
    const secrets = new Set([...all.matchAll(/secrets\.(\w+)|(NOTES_TOKEN|RECORDER_KUBECONFIG)/g)].map(([, one, other]) => one ?? other))
    expect([blanks.size, secrets.size]).toEqual([3, 2])
    for (const name of [...blanks, ...secrets]) expect(page).toContain(name)
  })

  test('shows the policy as it is, in about ten lines', () => {
    const policy = textOf(`${folder}/policy.mjs`)
    expect(page).toContain(`\`\`\`js\n${policy}\`\`\`\n`)
    expect(policy.trim().split('\n').length).toBeLessThanOrEqual(11)
  })

  test('says first where a recording has no place, and has at most 250 lines', () => {
    expect(page.split('\n## ')[0]).toContain('A public repository has no place for it')
    expect(page.split('\n').length).toBeLessThanOrEqual(251)
  })
})
