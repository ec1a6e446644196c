import { type DeclaredWorkspace, statementsOf, states } from '../declared.ts'
import { lagMaxMs } from '../given.ts'
import type { Holding } from '../projects.ts'
import type { Spec } from '../spec.ts'

/**
 * Whether the program may hold the mappings of an identifier. It may if the owner of the key does not see the project. It also may if, since a rule
 * got its present text, the project had another identifier or another project had this identifier.
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
  /** Whether a rule named the identifier until this time. A list that was read a little later may still have shown the old identifier. */
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

/** Whether the identifier always had the same project, the project always had this identifier, and the owner of the key sees it. */
export function isUndisturbed(holdings: readonly Holding[], identifier: string): boolean {
  const [one, ...more] = holdings.filter((holding) => holding.identifier === identifier)
  if (one === undefined || more.length > 0 || one.untilMs !== undefined || !one.isSeen) return false
  return holdings.every((holding) => holding.id !== one.id || holding.identifier === identifier)
}
