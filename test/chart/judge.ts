import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tool } from './helm.ts'

/**
 * Checks many values with one call of Helm, by Helm's own validator. It uses a chart that has one value: the list of these values.
 *
 * @returns index of a refused value → Helm's lines about it
 */
export async function refusedByHelm(schema: object, values: readonly unknown[]): Promise<ReadonlyMap<number, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'judge-'))
  try {
    await mkdir(join(folder, 'templates'))
    const { $schema = 'https://json-schema.org/draft/2020-12/schema', ...items } = schema as { readonly $schema?: string }
    await Promise.all([
      writeFile(join(folder, 'Chart.yaml'), 'apiVersion: v2\nname: judge\nversion: 0.0.0\n'),
      writeFile(join(folder, 'values.schema.json'), JSON.stringify({ $schema, properties: { values: { type: 'array', items } } })),
      writeFile(join(folder, 'given.json'), JSON.stringify({ values })),
    ])
    const said = await tool('helm', 'template', 'judge', folder, '--values', join(folder, 'given.json')).then(
      () => '',
      (error: Error) => error.message,
    )
    const lines = [...said.matchAll(/^ *- at '\/values\/(\d+)[/'].*$/gm)]
    // If a key of a map is wrong, Helm does not say at which index, so the result could not be assigned to a value.
    if ((said !== '' && lines.length === 0) || said.includes("at ''")) throw new Error(said)
    const found = new Map<number, string>()
    for (const [line, index] of lines) found.set(Number(index), `${found.get(Number(index)) ?? ''}${line}\n`)
    return found
  } finally {
    await rm(folder, { recursive: true })
  }
}
