import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { actionsIn, blanksFile } from '../../scripts/release/blanks.ts'
import { sign } from '../../scripts/release/sign.ts'
import type { Call } from './standIns.ts'
import { type Job, needed, runJob, type Workflow, workflowOf } from './workflow.ts'
import { aCommit, baseDigest, cloneWith, commit, fillBlanks, releaseEnv, root, run, signer } from './world.ts'

/** Each `run` step of the workflows, as bash runs it, with stand-ins for what publishes. */

const temporary = await mkdtemp(join(tmpdir(), 'workflows-'))
afterAll(() => rm(temporary, { recursive: true }))
const repository = join(temporary, 'repository')
const names = ['dependencies', 'release', 'test'] as const
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { readonly version: string }
const env: NodeJS.ProcessEnv = {
  ...releaseEnv,
  GITHUB_REF: `refs/tags/v${version}`,
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_REPOSITORY: 'acme/plane-group-sync',
  GITHUB_WORKFLOW_REF: `acme/plane-group-sync/.github/workflows/release.yml@refs/tags/v${version}`,
  GITHUB_RUN_ID: '17',
}

/** As on the day of the release: every blank filled, a section of the changelog, a tag. */
beforeAll(async () => {
  await cloneWith(repository, async (clone) => {
    await fillBlanks(clone)
    const changelog = join(clone, 'CHANGELOG.md')
    await writeFile(
      changelog,
      (await readFile(changelog, 'utf8')).replace(
        '## [Unreleased]',
        `## [${version}] - 2027-01-04\n\nThe first. [Why](docs/promises.md)\n\n## [0.0.1] - 2026-01-01`,
      ),
    )
  })
  await run('git', ['tag', `v${version}`], repository)
  env['GITHUB_SHA'] = (await run('git', ['rev-parse', 'HEAD'], repository)).trim()
})

const workflow = async (name: string): Promise<Workflow> => workflowOf(await readFile(join(root, `.github/workflows/${name}.yml`), 'utf8'))
const jobs = await Promise.all(
  names.map(async (name) => Object.entries((await workflow(name)).jobs).map(([job, is]) => ({ name, job, is }))),
)

describe.each(jobs.flat())('$name: $job', ({ is }) => {
  test('ends by itself, and no text from outside becomes part of a command', () => {
    expect(is['timeout-minutes']).toBeGreaterThan(0)
    expect(is.steps.flatMap(({ run: command }) => (command?.includes('${{') ? [command] : []))).toEqual([])
  })

  test('leaves no credential in the clone, and reads no secret', () => {
    expect(
      is.steps.filter(({ uses, with: inputs }) => uses?.startsWith('actions/checkout') && inputs?.['persist-credentials'] !== false),
    ).toEqual([])
    expect(JSON.stringify(is)).not.toMatch(/secrets\./)
  })
})

test.each(names)('%s: no job has a permission that it does not declare, and each action has its blank', async (name) => {
  const text = await readFile(join(root, `.github/workflows/${name}.yml`), 'utf8')
  expect(workflowOf(text).permissions).toEqual({})
  const blanks = JSON.parse(await readFile(join(root, blanksFile), 'utf8')) as Record<string, string>
  expect(Object.keys(blanks)).toEqual(expect.arrayContaining([...actionsIn(text)]))
  const filled = await readFile(join(repository, `.github/workflows/${name}.yml`), 'utf8')
  expect([...filled.matchAll(/uses: .*@(.*)$/gm)].map(([, ref]) => ref).filter((ref) => !ref?.startsWith(`${aCommit} # v`))).toEqual([])
})

/** Runs a job, and checks that it may do what it did, and nothing more. */
async function play(job: Job): Promise<readonly Call[]> {
  const calls = await runJob(job, repository, join(temporary, 'job'), env)
  expect(job.permissions).toEqual(needed(calls, job))
  return calls
}

test('release: build and tools read, and publish signs and publishes what was built', async () => {
  const {
    on,
    jobs: { build, tools, publish },
  } = (await workflow('release')) as Workflow & { readonly jobs: Readonly<Record<'build' | 'tools' | 'publish', Job>> }
  expect(on).toEqual({ push: { tags: ['v*'] } })
  const built = await play(build)
  expect(built.map(([program]) => program).filter((program) => program !== 'buildah')).toEqual([])
  expect(built.find(([, first]) => first === 'build')).toContain(`NODE_IMAGE=docker.io/library/node:26.10.0-bookworm-slim@${baseDigest}`)

  // Neither action nor step of `tools` runs what npm installs for the build.
  expect(JSON.stringify(tools)).not.toMatch(/npm |node /)
  expect(await play(tools)).toEqual([])

  expect(publish).toMatchObject({ needs: ['build', 'tools'], environment: 'release' })
  const calls = await play(publish)
  const values = await readFile(join(temporary, 'artifacts/release/release.env'), 'utf8')
  const [, digest = ''] = /^IMAGE_DIGEST=(.*)$/m.exec(values) ?? []
  const [image, files] = ['ghcr.io/acme/plane-group-sync', ['.tgz', '.oci.tar'].map((ending) => `plane-group-sync-${version}${ending}`)]
  const chart = `plane-group-sync-chart-${version}.tgz`
  const text = calls.map((call) => call.join(' '))
  expect(text.slice(0, 2)).toEqual(['docker login ghcr.io --username ann --password-stdin', 'stdin the-token-of-the-job'])
  const blobs = [...files, chart]
  expect(text.slice(2, 9)).toEqual([
    ...[...blobs, 'SHA256SUMS'].map((file) => `cosign sign-blob --yes --bundle ${file}.sigstore.json ${file}`),
    ...blobs.map(
      (file) =>
        `cosign attest-blob --yes --type slsaprovenance1 --predicate provenance.json --bundle ${file}.provenance.sigstore.json ${file}`,
    ),
  ])
  expect(text[9]).toBe(
    `skopeo copy --all --preserve-digests oci-archive:released/plane-group-sync-${version}.oci.tar docker://${image}:${version}`,
  )
  expect(text[10]).toBe(`cosign sign --yes ${image}@${digest}`)
  expect(text[11]).toBe(`cosign attest --yes --type slsaprovenance1 --predicate released/provenance.json ${image}@${digest}`)
  expect(text.slice(12, 14)).toEqual([
    expect.stringMatching(
      /^cosign attest --yes --type cyclonedx --predicate released\/.*linux-amd64\.cdx\.json ghcr\.io\/acme\/plane-group-sync@sha256:[0-9a-f]{64}$/,
    ),
    expect.stringMatching(
      /^cosign attest --yes --type cyclonedx --predicate released\/.*linux-arm64\.cdx\.json ghcr\.io\/acme\/plane-group-sync@sha256:[0-9a-f]{64}$/,
    ),
  ])
  expect(text[14]).toBe(`helm push released/${chart} oci://ghcr.io/acme/charts`)
  expect(text[15]).toBe(`cosign sign --yes ghcr.io/acme/charts/plane-group-sync@sha256:${'c'.repeat(64)}`)
  expect(text[16]).toBe(`npm publish ./released/plane-group-sync-${version}.tgz --provenance --access public`)
  expect(calls[17]).toEqual(
    expect.arrayContaining([
      'gh',
      'release',
      'create',
      `v${version}`,
      '--verify-tag',
      'released/NOTES.md',
      'released/SHA256SUMS',
      `released/${chart}`,
    ]),
  )
  expect(text).toHaveLength(18)

  const released = join(temporary, 'artifacts/release')
  const manifest = JSON.parse(await run('tar', ['xzOf', `plane-group-sync-${version}.tgz`, 'package/package.json'], released)) as Record<
    string,
    unknown
  >
  expect(manifest).toMatchObject({ name: '@acme/plane-group-sync', version, publishConfig: { access: 'public', provenance: true } })
  expect(manifest).not.toHaveProperty('private')
  const imageOf = async (...args: readonly string[]) =>
    /image: "(.*)"/.exec(
      await run(
        'helm',
        ['template', 'demo', chart, '--values', join(root, 'helm/plane-group-sync/ci/needed-values.yaml'), ...args],
        released,
      ),
    )?.[1]
  expect(await imageOf()).toBe(`${image}@${digest}`)
  expect(await imageOf('--set', 'image=null')).toBe(`${image}@${digest}`)
  expect(await imageOf('--set', 'image.repository=example.com/mine')).toBe(`example.com/mine:${version}`)
  await expect(sign(released, { env: { ...env, GITHUB_REF: 'refs/tags/v9.9.9' } })).rejects.toThrow('and this run is of')
  const notes = await readFile(join(released, 'NOTES.md'), 'utf8')
  expect(notes).toContain(`The first. [Why](https://github.com/acme/plane-group-sync/blob/v${version}/docs/promises.md)`)
  expect(notes).toContain(`--certificate-identity ${signer}@refs/tags/v${version} `)
})

test('test: a contributor gets the quick checks, a push all of them', async () => {
  const { quick, all } = (await workflow('test')).jobs as Readonly<Record<'quick' | 'all', Job>>
  expect((await play(quick)).map((call) => call.join(' '))).toEqual(['npm run check', 'npm test'])
  expect(all.if).toBe("github.event_name == 'push'")
  expect((await play(all)).map(([program, ...args]) => [program, ...args.slice(-3)])).toEqual([['sudo', 'CI=true', 'bash', '.ci/run']])
})

test('dependencies: every lock is checked each week, and one issue tells what was found', async () => {
  const {
    on,
    jobs: { check, tell },
  } = (await workflow('dependencies')) as Workflow & { readonly jobs: Readonly<Record<'check' | 'tell', Job>> }
  expect(on).toMatchObject({ schedule: [{ cron: expect.stringMatching(/^\d+ \d+ \* \* \d$/) }] })
  const calls = (await play(check)).map((call) => call.join(' '))
  const locks = (await run('git', ['ls-files', '*package-lock.json'], repository)).trim().split('\n')
  expect(calls.slice(0, 2)).toEqual(['npm audit signatures', 'npm audit --omit=dev'])
  expect(calls.slice(2)).toEqual(
    locks.map(
      (path) => `npm audit --prefix ${path === 'package-lock.json' ? '.' : path.replace('/package-lock.json', '')} --audit-level=high`,
    ),
  )
  expect([tell.needs, tell.if]).toEqual(['check', 'failure()'])
  expect((await play(tell)).at(-1)).toEqual([
    ...['gh', 'issue', 'create', '--title', 'The check of dependencies found something'],
    ...['--body', 'What it found: https://github.com/acme/plane-group-sync/actions/runs/17'],
  ])
})

describe('a release stops, and says why', () => {
  const refused = async (edit: () => Promise<unknown>): Promise<string> => {
    const clone = join(temporary, 'refused')
    await rm(clone, { recursive: true, force: true })
    await run('git', ['clone', '--quiet', repository, clone], temporary)
    await run('ln', ['-s', join(root, 'node_modules'), join(clone, 'node_modules')], clone)
    await writeFile(join(clone, '.git/info/exclude'), 'node_modules\n')
    await edit()
    return run('node', ['scripts/release.ts'], clone).then(
      () => 'it did not stop',
      ({ stderr }: { stderr: string }) => stderr,
    )
  }
  const at = (path: string): string => join(temporary, 'refused', path)
  const replace = async (path: string, from: string | RegExp, to: string) =>
    writeFile(at(path), (await readFile(at(path), 'utf8')).replace(from, to))
  const retagged = async () => {
    await commit(at('.'))
    await run('git', ['tag', '--force', `v${version}`], at('.'))
  }

  test.each([
    ['empty', (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, ''])), 'is empty'],
    ['wrong', (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, '?'])), 'is "?", not'],
    ['absent', () => ({}), 'is empty'],
  ] as const)('while a blank is %s', async (_name, blanks, said) => {
    const names = Object.keys(JSON.parse(await readFile(join(root, blanksFile), 'utf8')) as object)
    const stopped = await refused(async () => {
      await writeFile(at(blanksFile), JSON.stringify(blanks(names)))
      await retagged()
    })
    expect(stopped).toContain('Nothing was built')
    for (const name of names) expect(stopped).toContain(`${blanksFile}: ${name} ${said}`)
  })

  test('without a tag, or with another version in a page, or without a section in the changelog, or with edits', async () => {
    expect(await refused(() => run('git', ['tag', '--delete', `v${version}`], at('.')))).toContain(
      `does not have the tag v${version}: git tag v${version}`,
    )
    expect(await refused(() => replace('Dockerfile', /ARG VERSION=.*/, 'ARG VERSION=9.9.9'))).toMatch(
      /Dockerfile names 9\.9\.9[^]*files differ from the commit/,
    )
    expect(await refused(() => replace('CHANGELOG.md', `[${version}] - 2027-01-04`, 'Unreleased'))).toContain(
      `CHANGELOG.md has no section "## [${version}]`,
    )
  })
})
