import { type Bounds, isUnknown } from '../../../src/core/bounds.ts'
import { boundsWord } from '../../../src/core/quantity.ts'
import { openPlace } from '../process/program.ts'

/** What a person gets of a directory by the program as a process. */
export type Numbers = {
  /** The number beside each group that `groups` shows; undefined if there is none. */
  readonly groups: Readonly<Record<string, number | undefined>>
  /** How many people newly get a role by each change of `plan`: `3`, `at least 3`, `2 to 3`, or `unknown`. */
  readonly plan: Readonly<Record<string, string>>
  /** All that both commands said. */
  readonly text: string
}

type Effect = { readonly newly: Bounds }
type GroupsDocument = {
  readonly directories: readonly { readonly groups: readonly { readonly name: string; readonly size?: Bounds }[] }[]
}
type PlanDocument = { readonly workspaces: readonly { readonly changes: readonly { readonly group: string; readonly effect: Effect }[] }[] }

const words = ({ newly }: Effect): string => (isUnknown(newly) ? 'unknown' : boundsWord(newly))

/** Runs `groups` and `plan` with a directory. The plan gives each of the named groups a role in a project of its own. */
export async function numbersBy(corp: object, named: readonly string[], env: Readonly<Record<string, string>>): Promise<Numbers> {
  const projectRoles = named.map((group, at) => ({ group, project: `P${at}`, role: 'member' }))
  await using place = await openPlace({
    workspaces: { acme: { projects: projectRoles.map(({ project }) => project) } },
    declaration: { version: 1, workspaces: { acme: { projectRoles } } },
    groups: [],
    settings: { directories: { corp } },
  })
  const listed = await place.run(['groups', '--format', 'json'], { env })
  const planned = await place.run(['plan', '--format', 'json'], { env })
  const text = [listed, planned].map(({ out, err }) => out + err).join('\n')
  if (listed.code !== 0 || planned.code !== 0) throw new Error(text)
  const { directories } = JSON.parse(listed.out) as GroupsDocument
  const { workspaces } = JSON.parse(planned.out) as PlanDocument
  return {
    groups: Object.fromEntries(directories.flatMap(({ groups }) => groups).map(({ name, size }) => [name, size?.most])),
    plan: Object.fromEntries(workspaces.flatMap(({ changes }) => changes).map(({ group, effect }) => [group, words(effect)])),
    text,
  }
}

/** The exit code of `groups` and all that it says, on one line. */
export async function groupsText(corp: object, env: Readonly<Record<string, string>>): Promise<string> {
  await using place = await openPlace({
    declaration: { version: 1, workspaces: { acme: { projectRoles: [] } } },
    groups: [],
    settings: { directories: { corp } },
  })
  const { code, out, err } = await place.run(['groups'], { env })
  return `${code}: ${(out + err).replaceAll(/\s+/g, ' ').trim()}`
}
