import { cp, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from './run.ts'

type Chart = {
  readonly version: string
  readonly repository?: string
  /** The image that the values name by default. Absent: as in the clone. */
  readonly image?: { readonly name: string; readonly digest: string }
}

/** Packs the chart into a file. A released chart names the released image by its digest. */
export async function packChart(root: string, file: string, { version, repository, image }: Chart): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'chart-'))
  await using _ = { [Symbol.asyncDispose]: () => rm(work, { recursive: true }) }
  const folder = join(work, 'plane-group-sync')
  await cp(join(root, 'helm/plane-group-sync'), folder, { recursive: true })
  if (image !== undefined) {
    await edit(join(folder, 'values.yaml'), [
      [/^ {2}# The image is not published: .*\n/m, '  # The image of the release, by its digest, unless you name another one here.\n'],
    ])
    await edit(join(folder, 'Chart.yaml'), [
      [/^annotations:\n/m, `annotations:\n  plane-group-sync/image: ${image.name}@${image.digest}\n`],
    ])
  }
  if (repository !== undefined) {
    await edit(join(folder, 'Chart.yaml'), [
      [/^# package\.json names no address of the project.*\n/m, `home: ${repository}\nsources: [${repository}]\n`],
    ])
  }
  await run('helm', ['package', folder, '--version', version, '--app-version', version, '--destination', work], root)
  // The package for npm has the same name.
  await cp(join(work, `plane-group-sync-${version}.tgz`), file)
}

/** @throws if a part to replace is not there */
async function edit(path: string, edits: readonly (readonly [RegExp, string])[]): Promise<void> {
  let text = await readFile(path, 'utf8')
  for (const [part, by] of edits) {
    if (!part.test(text)) throw new Error(`${path} has nothing like ${part.source}, which a release replaces`)
    text = text.replace(part, () => by)
  }
  await writeFile(`${path}.new`, text)
  await rename(`${path}.new`, path)
}
