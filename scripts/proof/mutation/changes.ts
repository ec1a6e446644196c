import { functionsOf } from '../../source/functions.ts'
import { isSameShape } from '../../source/shape.ts'
import type { MutationReport, Survivors } from './score.ts'

/** A function with survivors that changed after its mutants were tried. `newName`: only its name changed. */
export type ChangedFunction = { readonly path: string; readonly name: string; readonly newName?: string }
type Files = MutationReport['files']

/** @param read the present source of a file; if it rejects, every function of the file counts as changed */
export async function changedFunctions(files: Files, read: (path: string) => Promise<string>): Promise<readonly ChangedFunction[]> {
  const withSurvivors = Object.entries(files).filter(([, { survivors }]) => Object.keys(survivors).length > 0)
  const changed = withSurvivors.map(async ([path, { survivors }]) => changedIn(path, survivors, await read(path).catch(() => '')))
  return (await Promise.all(changed)).flat()
}

function changedIn(path: string, survivors: Readonly<Record<string, Survivors>>, source: string): readonly ChangedFunction[] {
  const { shapes } = functionsOf(source)
  return Object.entries(survivors)
    .filter(([name, { shape }]) => !isSameShape(shape, shapes.get(name) ?? ''))
    .map(([name, { shape }]) => {
      const alike = [...shapes].filter(([other, its]) => isSameShape(shape, its) && !isSameShape(survivors[other]?.shape ?? '', its))
      const [newName, ...more] = alike.map(([other]) => other)
      return newName === undefined || more.length > 0 ? { path, name } : { path, name, newName }
    })
}
