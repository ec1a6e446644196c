import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { writePackage } from '../../../scripts/bundle/package.ts'

export const root = join(import.meta.dirname, '../../..')

/** A folder that is removed after the tests of the file. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bundle-'))
  afterAll(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Lays the program out as in the package and in the image: the bundle, without the source and without node_modules. Returns the folder. */
export async function layOut(): Promise<string> {
  const folder = await temporaryFolder()
  await writePackage(folder)
  return folder
}
