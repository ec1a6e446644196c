import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type OutputChunk, rolldown } from 'rolldown'
import { minifySync } from 'rolldown/utils'
import { chunkNames } from './chunks.ts'
import { licences } from './licences.ts'
import { lineMap } from './lineMap.ts'
import { modulesOfNode } from './modulesOfNode.ts'
import { packageOf } from './packageOf.ts'
import { partsOfUndici } from './partsOfUndici.ts'
import { workerFile } from './workerFile.ts'

const root = join(import.meta.dirname, '../..')
const source = join(root, 'src')

/** The same code of `yaml` as ES modules. The form for Node asks the environment at each token whether to print it: 6 % of a large `validate` (measured). */
const modulesOfYaml = join(root, 'node_modules/yaml/browser/index.js')

/** The bundle as files of one folder, which is emptied first. Two builds of one source are equal to the byte. */
export async function writeBundle(folder: string): Promise<void> {
  const files = await bundleFiles()
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  for (const [name, content] of files) await writeFile(join(folder, name), content)
}

/** @throws also for a warning of the bundler */
async function bundleFiles(): Promise<ReadonlyMap<string, string>> {
  await using bundle = await rolldown({
    cwd: root,
    input: { main: join(source, 'main.ts') },
    platform: 'node',
    resolve: { alias: { yaml: modulesOfYaml } },
    // The bundle must not depend on a file that only a clone has.
    tsconfig: false,
    // A module that one command loads late and another one early is right.
    checks: { ineffectiveDynamicImport: false },
    preserveEntrySignatures: false,
    plugins: [workerFile(source), partsOfUndici, modulesOfNode],
    onLog(level, { message }) {
      if (level === 'warn') throw new Error(message)
    },
  })
  const { output } = await bundle.generate({
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    comments: { legal: true, annotation: false, jsdoc: false },
    codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: chunkNames(source), debugName: 'layers' }] },
    // One character above U+00FF makes V8 keep a whole file with two bytes for each character.
    charset: 'ascii',
    sourcemap: 'hidden',
    sourcemapExcludeSources: true,
  })
  const chunks = output.filter((file) => file.type === 'chunk')
  return new Map([...chunks.flatMap(filesOf), ['THIRD-PARTY.txt', licences(chunks.flatMap(({ moduleIds }) => moduleIds))]])
}

/** The code, and for our own code a source map: a stack then shows the lines of `src`. */
function filesOf({ fileName, code, map, moduleIds }: OutputChunk): readonly (readonly [name: string, content: string])[] {
  if (map === null || moduleIds.every((id) => packageOf(id) !== undefined)) return [[fileName, withoutBlanks(fileName, code)]]
  return [
    [fileName, `${code}//# sourceMappingURL=${fileName}.map\n`],
    [`${fileName}.map`, JSON.stringify(lineMap(map))],
  ]
}

/** The code of packages without blanks and line ends. Names stay, so that a stack can be read. */
function withoutBlanks(fileName: string, code: string): string {
  const { code: short, errors } = minifySync(fileName, code, { module: true, compress: false, mangle: false, codegen: { asciiOnly: true } })
  if (errors.length > 0) throw new Error(`${fileName}: ${errors[0]?.message}`)
  return short
}
