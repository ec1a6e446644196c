import { type ChangedFunction, changedFunctions } from './changes.ts'
import { type Reasons, reasons } from './reasons.ts'
import type { MutationReport } from './score.ts'

type Followed = { readonly report: MutationReport; readonly reasons: Reasons; readonly source: string }

/** The report and the reasons, with the present names of their functions. The reasons also come as the source of `reasons.ts`. */
export async function followRenames(report: MutationReport, source: string, read: (path: string) => Promise<string>): Promise<Followed> {
  const changed = await changedFunctions(report.files, read)
  const files = Object.entries(report.files).map(([path, score]) => {
    return [path, { ...score, survivors: withNewNames(path, score.survivors, changed) }] as const
  })
  const ofFiles = Object.entries(reasons).map(([path, functions]) => [path, withNewNames(path, functions, changed)] as const)
  return {
    report: { ...report, files: Object.fromEntries(files) },
    reasons: Object.fromEntries(ofFiles),
    source: sourceWithNewNames(source, changed),
  }
}

function withNewNames<T>(
  path: string,
  functions: Readonly<Record<string, T>>,
  changed: readonly ChangedFunction[],
): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(functions).map(([name, value]) => [newNameOf(path, name, changed), value]))
}

/** In the source, paths are the keys of the first level, and functions are the keys of the second level. */
export function sourceWithNewNames(source: string, changed: readonly ChangedFunction[]): string {
  let path = ''
  const lines = source.split('\n').map((line) => {
    path = /^ {2}'(.+)': \{/.exec(line)?.[1] ?? path
    return line.replace(/^ {4}(\w+)(?=: \[)/, (_key, name: string) => `    ${newNameOf(path, name, changed)}`)
  })
  return lines.join('\n')
}

const newNameOf = (path: string, name: string, changed: readonly ChangedFunction[]): string =>
  changed.find((one) => one.path === path && one.name === name)?.newName ?? name
