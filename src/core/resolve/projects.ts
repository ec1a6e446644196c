import { type Hash, waiverId } from '../change.ts'
import type { NamedProjects } from '../desired.ts'
import type { HoldReason, ProjectChanged } from '../hold.ts'
import type { ProjectIdentifier, ProjectIndex } from '../mapping.ts'
import { isSameIds, type MeantIds } from '../memory/meantIds.ts'
import { type Reading, valueIfRead, whyIncomplete } from '../reading.ts'
import type { TextHash } from '../rule.ts'

export type RememberedProjects = {
  readonly ids: MeantIds
  readonly hash: Hash
  /** Whether a waiver names the change of a project. The identifier then means the project that has this identifier now. */
  readonly isWaived: (pass: string) => boolean
}

/** Whether an identifier still names the project that it named when the text was first applied. */
export type ProjectMeaning =
  /** The same project, or no project id is remembered. */
  | { readonly kind: 'current' }
  /** The list is incomplete, and shows neither the project nor the identifier. */
  | { readonly kind: 'unconfirmed'; readonly reason: HoldReason }
  | { readonly kind: 'changed'; readonly reason: ProjectChanged }
  /** Changed, and a waiver accepts the project that has the identifier now. */
  | { readonly kind: 'waived'; readonly pass: string }

/** `text` is called only if the answer depends on it. */
export type ProjectCheck = (project: ProjectIdentifier, text: () => TextHash) => ProjectMeaning

const current: ProjectMeaning = { kind: 'current' }

/**
 * Makes the check. P1 is the id that is remembered for the identifier ENG and the text.
 *
 * | remembered | list of projects                 | meaning                                           |
 * |------------|----------------------------------|---------------------------------------------------|
 * | no id      | any                              | current                                           |
 * | P1         | ENG is P1                        | current                                           |
 * | P1         | ENG is P2                        | changed: made again, or swapped                   |
 * | P1         | P1 is ENGX, no ENG               | changed: renamed                                  |
 * | P1         | complete, neither P1 nor ENG     | changed: gone, or hidden from the credential      |
 * | P1         | incomplete, neither P1 nor ENG   | unconfirmed                                       |
 *
 * @param reading undefined if the list was not read; every meaning is then current
 */
export function checkProjects(reading: Reading<ProjectIndex> | undefined, { ids, hash, isWaived }: RememberedProjects): ProjectCheck {
  const now: ProjectIndex = valueIfRead(reading) ?? new Map()
  const incomplete = whyIncomplete(reading)
  const meant = new Map<ProjectIdentifier, ReadonlyMap<string, string>>()
  let identifiers: ReadonlyMap<string, ProjectIdentifier> | undefined
  const calledNow = (id: string) => (identifiers ??= new Map([...now].map(([identifier, { id: of }]) => [of, identifier]))).get(id)

  return (project, text) => {
    const known = Object.entries(ids[project] ?? {})
    const is = now.get(project)?.id
    if (reading === undefined || known.every(([id]) => id === is)) return current
    const byText = meant.get(project) ?? new Map(known.flatMap(([id, texts]) => texts.map((textHash) => [textHash, id] as const)))
    meant.set(project, byText)
    const was = byText.get(text())
    if (was === undefined || was === is) return current
    const called = calledNow(was)
    if (is === undefined && called === undefined && incomplete !== undefined)
      return { kind: 'unconfirmed', reason: { kind: 'readingIncomplete', of: 'projects', why: incomplete } }
    const pass = waiverId(hash(JSON.stringify(['project', project, was, is ?? null, called ?? null])))
    if (isWaived(pass)) return { kind: 'waived', pass }
    const reason: ProjectChanged = {
      kind: 'projectChanged',
      project,
      replaced: is !== undefined,
      pass,
      ...(called === undefined ? {} : { called }),
    }
    return { kind: 'changed', reason }
  }
}

/** Returns whether the memory knows a project with this identifier, for one of these texts. The texts are asked for at the first question. */
export function openRemembered(ids: MeantIds, texts: () => ReadonlySet<TextHash>): (project: ProjectIdentifier) => boolean {
  let declared: ReadonlySet<string> | undefined
  return (project) =>
    Object.values(ids[project] ?? {}).some((known) => {
      declared ??= texts()
      return known.some((text) => declared?.has(text) === true)
    })
}

/** The ids that the memory has to store, and the names of the waivers that were used for them. */
export type NewProjectIds = { readonly ids: MeantIds; readonly waived: readonly string[] }

/**
 * For each identifier whose ids or texts differ from before: all its ids. An empty record removes the identifier from the memory. A text that is
 * no longer declared is removed if its project is the same as before. A text whose project changed keeps the old id, until a waiver names the
 * change.
 *
 * @param declared the hashes of all texts that are declared now
 */
export function newProjectIds(
  ids: MeantIds,
  named: NamedProjects,
  declared: ReadonlySet<TextHash>,
  reading: Reading<ProjectIndex> | undefined,
  check: ProjectCheck,
): NewProjectIds {
  const now = valueIfRead(reading)
  if (now === undefined) return { ids: {}, waived: [] }
  const fresh: Record<string, MeantIds[string]> = {}
  const waived = new Set<string>()
  for (const project of new Set([...(Object.keys(ids) as ProjectIdentifier[]), ...named.keys()])) {
    const before = ids[project] ?? {}
    const today = now.get(project)?.id
    const next = new Map<string, Set<string>>()
    const take = (id: string, text: string) => next.set(id, (next.get(id) ?? new Set()).add(text))
    const taken = new Set<string>()
    for (const [id, texts] of Object.entries(before)) {
      for (const text of texts as readonly TextHash[]) {
        // If the project changed, a removed text is kept: it may come back with the next commit.
        if (id === today && !declared.has(text)) continue
        taken.add(text)
        const meaning = check(project, () => text)
        if (meaning.kind === 'waived') waived.add(meaning.pass)
        if (meaning.kind !== 'waived') take(id, text)
        else if (today !== undefined) take(today, text)
      }
    }
    if (reading?.status === 'complete' && today !== undefined)
      for (const text of named.get(project) ?? []) if (!taken.has(text)) take(today, text)
    if (!isSameIds(before, next)) fresh[project] = Object.fromEntries([...next].map(([id, texts]) => [id, [...texts]]))
  }
  return { ids: fresh, waived: [...waived] }
}
