import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writePackage } from '../bundle/package.ts'
import { actionsIn, type Blanks, blanksFile, missing } from './blanks.ts'
import { packChart } from './chart.ts'
import { writeSums } from './checksums.ts'
import { buildImage, type Image } from './image.ts'
import { absoluteLinks, howToVerify, notesMax, sectionOf } from './notes.ts'
import { output, run } from './run.ts'
import { bill, bundledParts, npmPart, type Part } from './sbom.ts'
import { otherVersions, versionFiles } from './versions.ts'

/** What the workflow needs to know of a release that was built, and what its provenance says: `release.json`. */
export type Facts = {
  readonly version: string
  readonly local: boolean
  readonly commit: string
  readonly repository: string
  readonly baseImage: string
  /** What people install: the package, the image, the chart. */
  readonly files: readonly string[]
}

/**
 * Builds everything that is published into a folder, which is emptied first. Nothing is signed or published here.
 *
 * @param local for a trial: what only a public address can fill stays empty, and the version ends in `-local`
 * @throws with all reasons why this commit cannot be released
 */
export async function makeRelease(root: string, folder: string, local: boolean): Promise<void> {
  const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8')
  const git = async (...args: readonly string[]): Promise<string> => (await output('git', args, root)).trim()
  const manifest = JSON.parse(await read('package.json')) as { readonly version: string; readonly license: string }
  const blanks = JSON.parse(await read(blanksFile)) as Blanks
  const section = sectionOf(await read('CHANGELOG.md'), manifest.version)
  const base = /^ARG NODE_IMAGE=(.*)$/m.exec(await read('Dockerfile'))?.[1] as string
  if (!local) stopIf([...(await stillMissing(root, blanks, base)), ...(await reasons(root, manifest.version, section, git))])

  const version = local ? `${manifest.version}-local` : manifest.version
  const value = (name: string, trial: string): string => (local ? trial : (blanks[name] ?? trial))
  const repository = value('repository', 'https://localhost/plane-group-sync')
  const name = value('npmPackage', 'plane-group-sync')
  const imageName = value('image', 'localhost/plane-group-sync')
  const baseImage = local ? base : `${base}@${blanks[base]}`
  const [commit, epoch] = [await git('rev-parse', 'HEAD'), Number(await git('log', '-1', '--format=%ct'))]
  const at = new Date(epoch * 1000)

  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const bundle = join(root, 'package')
  await writePackage(bundle)
  await adapt(join(bundle, 'package.json'), { name, version, ...(!local && published(repository)) })
  const files = {
    npm: `plane-group-sync-${version}.tgz`,
    image: `plane-group-sync-${version}.oci.tar`,
    chart: `plane-group-sync-chart-${version}.tgz`,
  }
  await packNpm(bundle, join(folder, files.npm))
  const image = await buildImage(root, join(folder, files.image), { bundle, base: baseImage, version, commit, repository, epoch })
  await packChart(root, join(folder, files.chart), {
    version,
    ...(!local && { repository, image: { name: imageName, digest: image.digest } }),
  })

  const program: Part = { ...npmPart(name, version, manifest.license), type: 'application' }
  const bundled = bundledParts(await readFile(join(bundle, 'dist/THIRD-PARTY.txt'), 'utf8'), await read('package-lock.json'))
  const container = imagePart(imageName, image.digest, version)
  const chart: Part = {
    type: 'application',
    name: 'plane-group-sync',
    version,
    purl: `pkg:generic/plane-group-sync-chart@${version}`,
    license: manifest.license,
  }
  const bills = {
    [`${files.npm}.cdx.json`]: bill(program, bundled, at),
    [`${files.chart}.cdx.json`]: bill(chart, [container], at),
    ...Object.fromEntries(
      image.platforms.map(({ platform, digest, parts }) => [
        `${files.image}.${platform.replace('/', '-')}.cdx.json`,
        bill(imagePart(imageName, digest, version), [program, ...bundled, nodePart(base), ...parts], at),
      ]),
    ),
  }
  const facts: Facts = { version, local, commit, repository, baseImage, files: Object.values(files) }
  const notes = local ? trialNotes : `${absoluteLinks(section ?? '', repository, version)}\n\n${howToVerify(blanks, version, image.digest)}`
  const texts = {
    ...bills,
    'NOTES.md': `${notes}\n`,
    'release.json': `${JSON.stringify(facts, undefined, 2)}\n`,
    'release.env': environment(facts, imageName, image, value('chart', 'oci://localhost/charts')),
    ...(local && { 'NOT-FOR-PUBLICATION.txt': `${trialNotes}\n` }),
  }
  for (const [file, text] of Object.entries(texts)) await writeFile(join(folder, file), text)
  await writeSums(folder, [...facts.files, ...Object.keys(texts)])
}

const trialNotes =
  'A trial, made with `npm run release -- --local`. It is not for publication: its version ends in `-local`, and npm refuses to publish it.'

/** The blanks that a public address must fill. */
async function stillMissing(root: string, blanks: Blanks, base: string): Promise<readonly string[]> {
  const folder = join(root, '.github/workflows')
  const workflows = (await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8'))
  const actions = (await Promise.all(workflows)).flatMap(actionsIn)
  return missing(blanks, [...new Set([base, ...actions])]).map((blank) => `${blanksFile}: ${blank}`)
}

/** Why else this commit cannot be released. */
async function reasons(
  root: string,
  version: string,
  section: string | undefined,
  git: (...args: readonly string[]) => Promise<string>,
): Promise<readonly string[]> {
  const pages = (await git('ls-files', '*.md')).split('\n')
  const files = [...versionFiles, ...pages].map(async (path) => ({ path, text: await readFile(join(root, path), 'utf8') }))
  const tagged = await git('rev-parse', '--verify', '--quiet', `v${version}^{commit}`).catch(() => undefined)
  return [
    ...otherVersions(version, await Promise.all(files)).map((place) => `package.json has version ${version}, but ${place}`),
    ...(section ? [] : [`CHANGELOG.md has no section "## [${version}] - YYYY-MM-DD" with text: rename "Unreleased"`]),
    ...((section?.length ?? 0) > notesMax - 5000
      ? [`CHANGELOG.md: the section of ${version} is longer than the notes of a release may be: shorten it`]
      : []),
    ...((await git('status', '--porcelain')) === '' ? [] : ['files differ from the commit: commit or remove them (git status)']),
    ...(tagged === (await git('rev-parse', 'HEAD')) ? [] : [`this commit does not have the tag v${version}: git tag v${version}`]),
  ]
}

function stopIf(problems: readonly string[]): void {
  if (problems.length === 0) return
  const list = problems.map((problem) => `\n  - ${problem}`).join('')
  throw new Error(
    `Nothing was built. This commit cannot be released:${list}\nFor a trial that is not published: npm run release -- --local`,
  )
}

/** npm refuses to publish a package with `private`. */
const published = (repository: string) => ({
  private: undefined,
  homepage: repository,
  repository: { type: 'git', url: `git+${repository}.git` },
  publishConfig: { access: 'public', provenance: true },
})

async function adapt(path: string, fields: Readonly<Record<string, unknown>>): Promise<void> {
  const manifest = JSON.parse(await readFile(path, 'utf8')) as Readonly<Record<string, unknown>>
  await writeFile(path, `${JSON.stringify({ ...manifest, ...fields }, undefined, 2)}\n`)
}

async function packNpm(bundle: string, file: string): Promise<void> {
  const folder = join(file, '..')
  const packed = (await output('npm', ['pack', bundle, '--silent', '--pack-destination', folder], folder)).trim()
  // A scoped name has its scope in the name of the file.
  if (join(folder, packed) !== file) await run('mv', [packed, file], folder)
}

const imagePart = (name: string, digest: string, tag: string): Part => ({
  type: 'container',
  name,
  version: digest,
  purl: `pkg:oci/${name.split('/').at(-1)}@${encodeURIComponent(digest)}?repository_url=${encodeURIComponent(name)}&tag=${tag}`,
})

function nodePart(base: string): Part {
  const version = /node:(\d+\.\d+\.\d+)/.exec(base)?.[1] ?? 'unknown'
  return { type: 'application', name: 'node', version, purl: `pkg:generic/node@${version}`, license: 'MIT' }
}

/** For `$GITHUB_ENV`. */
function environment({ version, files }: Facts, image: string, { digest, platforms }: Image, chart: string): string {
  const [npm, archive, chartFile] = files
  const values = {
    VERSION: version,
    NPM_FILE: npm,
    IMAGE: image,
    IMAGE_FILE: archive,
    IMAGE_DIGEST: digest,
    CHART: chart,
    CHART_FILE: chartFile,
    ...Object.fromEntries(platforms.map((built) => [`DIGEST_${built.platform.split('/')[1]?.toUpperCase()}`, built.digest])),
  }
  return Object.entries(values)
    .map(([key, value]) => `${key}=${value}\n`)
    .join('')
}
