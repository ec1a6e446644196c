import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { needed } from '../chart/helm.ts'

const folder = 'test/chart/values'

/** The arguments of Helm for the default values, and for each file of values that the tests of the chart have. */
export const valuesFiles: readonly (readonly [name: string, args: readonly string[]])[] = [
  ['needed', needed],
  ...readdirSync(folder).map((name) => [basename(name, '.yaml'), ['--values', join(folder, name)]] as const),
]
