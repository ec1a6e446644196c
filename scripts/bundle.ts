import { join } from 'node:path'
import { writePackage } from './bundle/package.ts'

/** Writes the package, from which the image runs, to `package/`. `npm pack ./package` makes one file of it. */
await writePackage(join(import.meta.dirname, '../package'))
