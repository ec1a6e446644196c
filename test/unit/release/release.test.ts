import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { actionsIn, type Blanks, blanksFile, missing, owners, questions, withCommits } from '../../../scripts/release/blanks.ts'
import { absoluteLinks, notesMax, sectionOf } from '../../../scripts/release/notes.ts'
import { bill, bundledParts, debianParts, npmPart } from '../../../scripts/release/sbom.ts'

const blanks = JSON.parse(readFileSync(blanksFile, 'utf8')) as Blanks
const commit = 'a'.repeat(40)

describe('blanks', () => {
  const filled: Blanks = Object.fromEntries(
    Object.keys(blanks).map((name) => [name, name.includes('@') ? commit : name.includes(':') ? `sha256:${'b'.repeat(64)}` : '']),
  )
  const whole: Blanks = {
    ...filled,
    repository: 'https://github.com/acme/sync',
    maintainers: '@acme/platform',
    npmPackage: '@acme/sync',
    image: 'ghcr.io/acme/sync',
    chart: 'oci://ghcr.io/acme/charts',
    signer: 'https://github.com/acme/sync/.github/workflows/release.yml',
  }

  test('nothing is missing when all are filled', () => {
    expect(missing(whole, ['actions/checkout@v6.0.1'])).toEqual([])
  })

  test.each([
    ['repository', 'https://github.com/acme'],
    ['repository', 'https://github.com/acme/sync/tree/main'],
    ['maintainers', 'acme'],
    ['npmPackage', 'plane-group-sync'],
    ['image', 'plane-group-sync'],
    ['image', 'ghcr.io/acme/sync:latest'],
    ['chart', 'ghcr.io/acme/charts'],
    ['signer', 'https://github.com/acme/sync/.github/workflows/test.yml'],
    ['docker.io/library/node:26.10.0-bookworm-slim', 'latest'],
    ['actions/checkout@v6.0.1', 'v6.0.1'],
    ['actions/checkout@v6.0.1', commit.slice(1)],
  ])('%s may not be %s', (name, value) => {
    expect(missing({ ...whole, [name]: value }, [])).toEqual([expect.stringContaining(`${name} is "${value}", not `)])
  })

  test('an action or a base image that has no blank is missing, and a blank that nothing asks for is named', () => {
    expect(missing(whole, ['acme/other@v2', 'example.com/node:27'])).toEqual([
      expect.stringMatching(/^acme\/other@v2 is empty: the commit/),
      expect.stringMatching(/^example\.com\/node:27 is empty: the digest/),
    ])
    expect(missing({ ...whole, color: 'red' }, [])).toEqual(['color: no blank has this name'])
  })

  test('a commit goes into a workflow, and back', () => {
    const text = 'steps:\n  - uses: actions/checkout@v6.0.1\n  - uses: acme/x@v1\n'
    const pinned = `steps:\n  - uses: actions/checkout@${commit} # v6.0.1\n  - uses: acme/x@v1\n`
    expect(withCommits(text, whole)).toBe(pinned)
    expect(withCommits(pinned, whole)).toBe(pinned)
    expect(withCommits(pinned, { 'actions/checkout@v6.0.1': '' })).toBe(text)
    expect(actionsIn(pinned)).toEqual(['actions/checkout@v6.0.1', 'acme/x@v1'])
  })

  test('owners and the way of a report wait for their blank', () => {
    expect(owners(blanks)).not.toMatch(/^\*/m)
    expect(owners(whole)).toMatch(/^\* @acme\/platform$/m)
    expect(parse(questions(blanks))).toEqual({ blank_issues_enabled: false })
    expect(parse(questions(whole))).toMatchObject({ contact_links: [{ url: 'https://github.com/acme/sync/security/advisories/new' }] })
  })

  test('Renovate finds each filled commit and digest', () => {
    const { customManagers } = JSON.parse(readFileSync('renovate.json', 'utf8')) as { customManagers: { matchStrings: [string] }[] }
    const text = JSON.stringify(whole, undefined, 2)
    const found = customManagers.flatMap(({ matchStrings: [pattern] }) =>
      [...text.matchAll(new RegExp(pattern, 'g'))].map(({ groups }) => [groups?.['depName'], groups?.['currentValue']].join(' ')),
    )
    const wanted = Object.keys(blanks).filter((name) => /[@:]/.test(name))
    expect(found.toSorted()).toEqual(wanted.map((name) => name.replace(/[@:](?=[^@:]*$)/, ' ')).toSorted())
  })
})

describe('notes', () => {
  const changelog = '# Changelog\n\n## [Unreleased]\n\n### Added\n- b\n\n## [1.2.0] - 2026-02-03\n\n- a\n\n## [1.1.0] - 2026-01-01\n- z\n'

  test('are the section of the version, and nothing of the next', () => {
    expect(sectionOf(changelog, '1.2.0')).toBe('- a')
    expect(sectionOf(changelog, '1.1.0')).toBe('- z')
    expect(sectionOf(changelog, 'Unreleased')).toBe('### Added\n- b')
    expect(sectionOf(changelog, '1.3.0')).toBeUndefined()
    expect(sectionOf(changelog.replace(' - 2026-02-03', ''), '1.2.0')).toBeUndefined()
    expect(sectionOf('## [1x2.0] - 2026-02-03\n', '1.2.0')).toBeUndefined()
  })

  test('lead to files of this version', () => {
    const text = '[a](docs/a.md#b) [c](https://c.example) [d](#d)'
    expect(absoluteLinks(text, 'https://github.com/acme/sync', '1.2.0')).toBe(
      '[a](https://github.com/acme/sync/blob/v1.2.0/docs/a.md#b) [c](https://c.example) [d](#d)',
    )
  })

  test('of the next release are not too long for GitHub', () => {
    expect(sectionOf(readFileSync('CHANGELOG.md', 'utf8'), 'Unreleased')?.length).toBeLessThan(notesMax - 5000)
  })
})

describe('a bill of materials', () => {
  const at = new Date('2026-01-02T03:04:05.678Z')

  test('is the same for the same parts in another order, and another for other parts', () => {
    const [a, b] = [npmPart('a', '1.0.0'), npmPart('@b/c', '2.0.0', 'MIT', `sha512-${'A'.repeat(86)}==`)]
    expect(bill(a, [a, b], at)).toBe(bill(a, [b, a, b], at))
    expect(bill(a, [a, b], at)).not.toBe(bill(a, [a], at))
    expect(JSON.parse(bill(a, [b], at))).toMatchObject({
      bomFormat: 'CycloneDX',
      metadata: { timestamp: '2026-01-02T03:04:05Z', component: { purl: 'pkg:npm/a@1.0.0' } },
      components: [
        { purl: 'pkg:npm/%40b/c@2.0.0', licenses: [{ expression: 'MIT' }], hashes: [{ alg: 'SHA-512', content: '0'.repeat(128) }] },
      ],
      dependencies: [{ ref: 'pkg:npm/a@1.0.0', dependsOn: ['pkg:npm/%40b/c@2.0.0'] }],
    })
  })

  test('has the packages of Debian that are installed', () => {
    const status = [
      'Package: libstdc++6\nStatus: install ok installed\nArchitecture: arm64\nVersion: 1:12.2+b1',
      'Package: gone\nStatus: deinstall ok config-files\nArchitecture: arm64\nVersion: 1',
    ]
    expect(debianParts(status.join('\n\n'), 'VERSION_ID="12"\n').map(({ purl }) => purl)).toEqual([
      'pkg:deb/debian/libstdc%2B%2B6@1%3A12.2%2Bb1?arch=arm64&distro=debian-12',
    ])
  })

  test('a bundle without packages is an error, not an empty bill', () => {
    expect(() => bundledParts('nothing', '{"packages":{}}')).toThrow('names no package')
  })
})

test.each(['fault', 'wish'])('the form %s has what GitHub needs', (name) => {
  const form = parse(readFileSync(`.github/ISSUE_TEMPLATE/${name}.yml`, 'utf8')) as {
    readonly name: string
    readonly description: string
    readonly body: readonly { readonly type: string; readonly id?: string; readonly attributes: { readonly label?: string } }[]
  }
  expect([form.name, form.description].every((text) => text.length > 0)).toBe(true)
  const fields = form.body.filter(({ type }) => type !== 'markdown')
  expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length)
  expect(fields.filter(({ attributes: { label } }) => label === undefined)).toEqual([])
})
