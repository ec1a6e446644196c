import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { checkSums } from '../../scripts/release/checksums.ts'
import { readImage } from '../../scripts/release/image.ts'
import { sign } from '../../scripts/release/sign.ts'
import { cloneWith, releaseEnv, root, run } from './world.ts'

/** A release with `--local`, signed with a key: what a person can try without a public address. */

const temporary = await mkdtemp(join(tmpdir(), 'release-'))
afterAll(() => rm(temporary, { recursive: true }))
const key = join(temporary, 'cosign')
const clone = join(temporary, 'clone')
const released = join(clone, 'released')
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { readonly version: string }
const [npm, image, chart] = [
  `plane-group-sync-${version}-local.tgz`,
  `plane-group-sync-${version}-local.oci.tar`,
  `plane-group-sync-chart-${version}-local.tgz`,
]
const read = (name: string): Promise<string> => readFile(join(released, name), 'utf8')

beforeAll(async () => {
  await cloneWith(clone, () => Promise.resolve())
  await run('ln', ['-s', join(root, 'node_modules'), join(clone, 'node_modules')], root)
  await run('cosign', ['generate-key-pair', '--output-key-prefix', key], temporary)
  await run('npm', ['run', '--silent', 'release', '--', '--local', '--key', `${key}.key`], clone)
})

test('one command makes the package, the image and the chart, and the papers of each', async () => {
  const files = (await readdir(released)).toSorted()
  for (const file of [npm, image, chart])
    expect(files).toEqual(expect.arrayContaining([file, `${file}.sigstore.json`, `${file}.provenance.sigstore.json`]))
  const bills = [`${npm}.cdx.json`, `${image}.linux-amd64.cdx.json`, `${image}.linux-arm64.cdx.json`, `${chart}.cdx.json`]
  expect(files).toEqual(expect.arrayContaining([...bills, 'NOTES.md', 'SHA256SUMS', 'SHA256SUMS.sigstore.json', 'release.json']))
  expect(await run('cyclonedx-check', bills, released)).toBe(bills.map((name) => `${name}: valid\n`).join(''))
})

test('the bill of the package names what is in its bundle, with hashes', async () => {
  const { components } = JSON.parse(await read(`${npm}.cdx.json`)) as {
    components: { name: string; hashes?: { alg: string; content: string }[] }[]
  }
  expect(components.map(({ name }) => name)).toEqual(expect.arrayContaining(['ldapts', 'undici', 'yaml', 'zod']))
  expect(components.filter(({ hashes }) => !/^[0-9a-f]{128}$/.test(hashes?.[0]?.content ?? ''))).toEqual([])
})

test('the bill of the image also names Node and the packages of Debian, for the right platform', async () => {
  for (const arch of ['amd64', 'arm64']) {
    const { components } = JSON.parse(await read(`${image}.linux-${arch}.cdx.json`)) as { components: { purl: string }[] }
    const all = components.map(({ purl }) => purl)
    expect(all).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^pkg:generic\/node@\d+/),
        expect.stringMatching(`^pkg:deb/debian/libc6@.*arch=${arch}&`),
      ]),
    )
    expect(all).toContain(`pkg:npm/plane-group-sync@${version}-local`)
  }
})

describe('not for publication', () => {
  test('the version of each part says it', async () => {
    const manifest = JSON.parse(await run('tar', ['xzOf', npm, 'package/package.json'], released)) as Record<string, unknown>
    const inChart = parse(await run('tar', ['xzOf', chart, 'plane-group-sync/Chart.yaml'], released)) as Record<string, unknown>
    expect(manifest).toMatchObject({ version: `${version}-local`, private: true })
    expect(inChart).toMatchObject({ version: `${version}-local`, appVersion: `${version}-local` })
    expect((await readImage(join(released, image))).platforms.map(({ platform }) => platform).toSorted()).toEqual([
      'linux/amd64',
      'linux/arm64',
    ])
    expect(await read('NOT-FOR-PUBLICATION.txt')).toContain('not for publication')
  })

  test('npm refuses it', async () => {
    const nowhere = [
      '--registry',
      'http://127.0.0.1:9/',
      '--//127.0.0.1:9/:_authToken=x',
      '--fetch-retries',
      '0',
      '--tag',
      'trial',
      '--loglevel',
      'error',
    ]
    await expect(run('npm', ['publish', ...nowhere, `./${npm}`], released)).rejects.toThrow('EPRIVATE')
  })

  test('it is not signed without a key', async () => {
    await expect(sign(released, {})).rejects.toThrow('--local')
  })
})

describe('the signatures', () => {
  const verify = (file: string) =>
    run(
      'cosign',
      ['verify-blob', '--key', `${key}.pub`, '--insecure-ignore-tlog=true', '--bundle', `${file}.sigstore.json`, file],
      released,
    )
  const statement = (file: string) => [
    ...['verify-blob-attestation', '--key', `${key}.pub`, '--insecure-ignore-tlog=true', '--type', 'slsaprovenance1'],
    ...['--bundle', `${file}.provenance.sigstore.json`, file],
  ]

  test('cosign verifies each', async () => {
    for (const file of [npm, image, chart, 'SHA256SUMS']) await verify(file)
    for (const file of [npm, image, chart]) await run('cosign', statement(file), released)
    expect(await run('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], released)).toBe('')
  })

  test('the statement names the commit and the base of the image', async () => {
    const { dsseEnvelope } = JSON.parse(await read(`${image}.provenance.sigstore.json`)) as { dsseEnvelope: { payload: string } }
    const { predicate, subject } = JSON.parse(Buffer.from(dsseEnvelope.payload, 'base64').toString()) as {
      predicate: unknown
      subject: unknown
    }
    const gitCommit = (await run('git', ['rev-parse', 'HEAD'], clone)).trim()
    expect(subject).toMatchObject([{ name: image }])
    expect(predicate).toMatchObject({
      buildDefinition: {
        resolvedDependencies: [{ digest: { gitCommit } }, { uri: expect.stringMatching(/^docker:\/\/docker\.io\/library\/node:/) }],
      },
    })
  })

  test('a changed file is found, by its signature and before one is made', async () => {
    const whole = await readFile(join(released, chart))
    await writeFile(join(released, chart), Buffer.concat([whole, Buffer.from('x')]))
    await expect(verify(chart)).rejects.toThrow()
    await expect(sign(released, { key: `${key}.key`, env: releaseEnv })).rejects.toThrow(`${chart} was changed after the release was built`)
    await writeFile(join(released, chart), whole)
    await checkSums(released)
  })
})

test('built again, the package, the image and all bills are equal to the byte', async () => {
  await run('npm', ['run', '--silent', 'release', '--', '--local', '--into', 'again'], clone)
  for (const name of (await readdir(released)).filter((file) => file === npm || file.endsWith('.cdx.json') || file === 'release.env'))
    expect(await readFile(join(clone, 'again', name), 'utf8'), name).toBe(await read(name))
})
