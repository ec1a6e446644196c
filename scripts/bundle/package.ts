import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeBundle } from './build.ts'

const root = join(import.meta.dirname, '../..')

type Manifest = Readonly<Partial<Record<'dependencies' | 'devDependencies' | 'optionalDependencies' | 'scripts', unknown>>>

/** The package, from which the image and `npm pack` are made: the bundle, its entry and a manifest without dependencies. The folder is emptied first. */
export async function writePackage(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await writeBundle(join(folder, 'dist'))
  for (const name of ['bin', 'LICENSE', 'README.md']) await cp(join(root, name), join(folder, name), { recursive: true })
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Manifest
  const { dependencies: _, devDependencies: _dev, optionalDependencies: _node, scripts: _scripts, ...rest } = manifest
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(rest, undefined, 2)}\n`)
}
