import { type DeclaredWorkspace, statementsOf, states } from '../declared.ts'
import { lagMaxMs } from '../given.ts'
import type { Holding } from '../projects.ts'
import type { Spec } from '../spec.ts'

/**
 * Whether the program may hold what concerns an identifier, by the last version of the declaration: its project is not seen, or was called
 * otherwise, or another one was called so, at a time at which a rule said what it still says.
 */
export function mayBeHeld(
  { versions, beginMs }: Pick<Spec, 'versions' | 'beginMs'>,
  one: DeclaredWorkspace,
  holdings: readonly Holding[],
  identifier: string,
): boolean {
  const holder = holdings.find((holding) => holding.identifier === identifier && holding.untilMs === undefined)
  if (holder?.isSeen !== true) return true
  const statements = statementsOf(one)
  /** A list that was read later may still have shown it. */
  const wasMeant = (called: string, untilMs: number) =>
    statements.some(
      ({ names, text }) =>
        names.includes(called) &&
        versions.some(({ atMs, declared }) => beginMs + atMs <= untilMs + lagMaxMs && says(declared, one.name, text, called)),
    )
  return holdings.some(
    (holding) =>
      (holding.id === holder.id) !== (holding.identifier === identifier) &&
      wasMeant(holding.identifier, holding.untilMs ?? Number.POSITIVE_INFINITY),
  )
}

const says = ({ workspaces }: Spec['versions'][number]['declared'], name: string, text: string, identifier: string): boolean =>
  workspaces.some((one) => one.name === name && states(one, text, identifier))

/** Whether an identifier has had one project, and the project one identifier, and the key's owner sees it. */
export function isUndisturbed(holdings: readonly Holding[], identifier: string): boolean {
  const [one, ...more] = holdings.filter((holding) => holding.identifier === identifier)
  if (one === undefined || more.length > 0 || one.untilMs !== undefined || !one.isSeen) return false
  return holdings.every((holding) => holding.id !== one.id || holding.identifier === identifier)
}
