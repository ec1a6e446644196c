import { statSync } from 'node:fs'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { installNested, run } from './nested.ts'
import { groups } from './site/pages.ts'
import { copyOf, staged } from './site/stage.ts'

/** Builds the documentation of this version as a site, into the folder `site`. Any web server can serve it; `SITE_BASE` is the path below which it does. */
process.chdir(join(import.meta.dirname, '..'))
/** Below `scripts/site`, where VitePress finds its own modules. */
const stage = 'scripts/site/coverage/pages'

await rm(stage, { recursive: true, force: true })
await rm('site', { recursive: true, force: true })
await cp('docs/images', join(stage, 'images'), { recursive: true })
for (const name of groups.flatMap(({ pages }) => pages)) {
  const { text, files } = staged(await readFile(`docs/${name}.md`, 'utf8'), (path) => statSync(path).isDirectory())
  await writeFile(join(stage, `${name}.md`), text)
  for (const file of files) {
    const copy = join(stage, 'public', copyOf(file))
    await mkdir(dirname(copy), { recursive: true })
    await writeFile(copy, await readFile(file))
  }
}
await installNested('scripts/site')
await run(process.execPath, ['node_modules/vitepress/bin/vitepress.js', 'build'], 'scripts/site')
