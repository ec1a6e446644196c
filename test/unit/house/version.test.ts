import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { otherVersions, versionFiles } from '../../../scripts/release/versions.ts'
import { filesBelow } from './files.ts'

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
const files = [...versionFiles.map((path) => ({ path, text: readFileSync(path, 'utf8') })), ...filesBelow('.', '.md')]

it('the lockfile, the chart, the label of the image and all pages have the version of package.json', () => {
  expect(otherVersions(version, files)).toEqual([])
})

it('each of these places counts, and each kind of page', () => {
  const texts = [
    'plane-group-sync-9.9.9.tgz',
    'x.example/plane-group-sync:9.9.9',
    'Version 9.9.9 is out',
    '{ tag: 9.9.9 }',
    'targetRevision: 9.9.9',
  ]
  expect(
    otherVersions(
      version,
      texts.map((text) => ({ path: 'docs/page.md', text })),
    ),
  ).toHaveLength(texts.length)
  for (const path of versionFiles) {
    const { text } = files.find((file) => file.path === path) as { text: string }
    expect(otherVersions(version, [{ path, text: text.replaceAll(version, '9.9.9') }]), path).not.toEqual([])
    expect(otherVersions(version, [{ path, text: '' }]), path).toEqual([`${path} names no version`])
  }
})
