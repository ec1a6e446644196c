import type { Desired, Wish } from '../desired.ts'
import { type GroupName, type Key, keyOf, type Mapping, type ProjectIdentifier, type Target } from '../mapping.ts'
import { seen } from '../reading.ts'
import { isUnmanaged, type Rule, type WorkspaceDeclaration } from '../rule.ts'
import { type Claim, ruling, settle } from './claims.ts'
import { hinted } from './hints.ts'
import { produce } from './produce.ts'
import type { ProjectMeaning } from './projects.ts'
import {
  followUnmanaged,
  lostProjects,
  meantElsewhere,
  movedProjects,
  openProjectTexts,
  type ProjectTexts,
  undeclaredIn,
} from './projectTexts.ts'
import { removalName, ruleName } from './textName.ts'
import { baseOf, isShadow, projectUnseen, type ResolveInput, sourcesOf, wishOf } from './wish.ts'

/**
 * The declaration's wish for every key, given the readings.
 *
 * | claims on a key                          | wish                                                  |
 * |------------------------------------------|-------------------------------------------------------|
 * | `removed`                                | absent                                                |
 * | an exact rule                            | its role, or unknown with the reason; patterns yield  |
 * | patterns that agree                      | their role                                            |
 * | patterns that differ                     | unknown: conflict                                     |
 * | a pattern whose directory is incomplete  | unknown: it might differ                              |
 * | expired rules only, of whatever kind     | absent                                                |
 * | only texts that meant another project    | unknown: the project changed                          |
 * | none, in a project that texts mean       | unknown: the project changed                          |
 */
export function resolve(declared: WorkspaceDeclaration, world: ResolveInput): Desired {
  const { workspace } = declared
  const { existing, check, hash } = world
  const claims = new Map<Key, Claim[]>()
  const mappedKeys = new Set(existing.map(({ key }) => key))
  const everyName = once(() => new Set([...existing.map(({ group }) => group), ...namesOf(world)]))
  const texts = openProjectTexts(check)
  const unmanaged = followUnmanaged(declared.unmanaged, texts, hash)
  const claim = (key: Key, made: Claim) => {
    const sofar = claims.get(key)
    if (sofar) sofar.push(made)
    else claims.set(key, [made])
  }

  for (const removal of declared.removed) {
    const { group, target, because } = removal
    const wish: Wish = { group, target, because, want: 'absent', why: 'removed' }
    const meaning = target.kind === 'project' ? texts.follow(target.project, removalName(removal, hash)) : undefined
    claim(keyOf(workspace, target, group), { weight: 'removed', ...ofChanged(wish, meaning) })
  }
  for (const rule of declared.rules) {
    const sources = sourcesOf(rule, world)
    const meaningOf = (target: Target) => (target.kind === 'project' ? texts.follow(target.project, ruleName(rule, hash)) : undefined)
    // An identifier means the project that has it today, also if the rule matches no group yet.
    const fixed = rule.target.kind === 'fixed' ? meaningOf(rule.target.target) : undefined
    for (const group of candidates(rule, everyName)) {
      const produced = produce(rule, group)
      if (produced === undefined || isUnmanaged(unmanaged, group, produced.target)) continue
      const { target } = produced
      const key = keyOf(workspace, target, group)
      const mapped = mappedKeys.has(key)
      const wish = wishOf(rule, { group, target, role: produced.role, mapped }, sources, world.nowMs)
      const meaning = rule.target.kind === 'fixed' ? fixed : meaningOf(target)
      if (meaning?.is === 'changed' && wish.want !== 'absent') texts.tell(meaning.reason, rule.because)
      const reason = projectUnseen(rule, target, world)
      claim(key, {
        weight: rule.groups.kind,
        ...ofChanged(wish, meaning),
        shadow: rule.groups.kind === 'pattern' && isShadow(wish, group, sources),
        sends: rule.unknownProjects === 'send',
        ...(reason === undefined ? {} : { unvouched: { ...baseOf(rule, { group, target }), want: 'unknown', reason } }),
      })
    }
  }
  const vouched = once(() => vouchedProjects(world, claims))
  const sure = (made: Claim): Claim =>
    made.wish.want !== 'role' || made.unvouched?.target.kind !== 'project' || vouched().has(made.unvouched.target.project)
      ? made
      : { ...made, wish: made.unvouched }
  const mappedGroups = once(() => new Set(existing.map(({ group }) => group)))
  const wishes = new Map(
    [...claims].flatMap(([key, made]): [Key, Wish][] => {
      const settled = settle(made.map(sure))
      const wish =
        settled.want === 'absent' ? deletable(settled, made, (one) => mappedKeys.has(keyOf(workspace, one, settled.group)), texts) : settled
      if (mappedKeys.has(key) || !made.every(({ shadow }) => shadow === true)) return [[key, wish]]
      const isAwaited = wish.want === 'unknown' && wish.reason.kind === 'readingIncomplete' && mappedGroups().has(wish.group)
      return isAwaited ? [[key, { ...wish, silent: true }]] : []
    }),
  )
  const claimed = function* () {
    for (const made of claims.values()) for (const { wish } of made) if (wish.want !== 'absent') yield wish
  }
  const changed = texts.changed()
  if (changed.length > 0) {
    for (const [key, wish] of meantElsewhere(claimed(), workspace)) if (mappedKeys.has(key) || wishes.has(key)) wishes.set(key, wish)
    for (const [key, wish] of undeclaredIn(movedProjects(changed), existing))
      if (!wishes.has(key) && !isUnmanaged(unmanaged, wish.group, wish.target)) wishes.set(key, wish)
  }
  for (const [key, wish] of hinted(wishes, world)) wishes.set(key, wish)
  const isThere = (project: ProjectIdentifier) => seen(world.projects)?.has(project) === true || vouched().has(project)
  const lost = once(() => (world.projects?.status === 'complete' ? lostProjects(claimed(), { isThere, existing, unmanaged }) : new Map()))
  return { wishes, unmanaged, named: texts.named(), changed, lost }
}

/** A wish whose project changed, or is not confirmed: a deletion waits only where no other text asks for it, all else at once. */
function ofChanged(wish: Wish, meaning: ProjectMeaning | undefined): Pick<Claim, 'wish' | 'changed'> {
  if (meaning?.is !== 'changed' && meaning?.is !== 'unconfirmed') return { wish }
  const { group, target, because, previously } = wish
  const held: Wish = {
    group,
    target,
    because,
    ...(previously === undefined ? {} : { previously }),
    want: 'unknown',
    reason: meaning.reason,
  }
  if (wish.want === 'absent') return { wish, changed: held }
  return meaning.is === 'changed' || wish.want === 'role' ? { wish: held } : { wish }
}

/** A deletion, unless each text that asks for it meant another project. */
function deletable(wish: Wish, made: readonly Claim[], isMapped: (target: Target) => boolean, texts: ProjectTexts): Wish {
  const asking = ruling(made)
  const [first] = asking.flatMap(({ changed }) => changed ?? [])
  if (first?.want !== 'unknown' || asking.some(({ changed }) => changed === undefined)) return wish
  const { reason, target, because } = first
  if (reason.kind === 'projectChanged') {
    const isElsewhere = reason.called !== undefined && isMapped({ kind: 'project', project: reason.called })
    if (isElsewhere || isMapped(target)) texts.tell(reason, because)
  }
  return isMapped(target) ? first : { ...first, silent: true }
}

/** An exact rule speaks of its name; a pattern of every name that a directory or an existing mapping has. */
const candidates = ({ groups }: Rule, everyName: () => ReadonlySet<GroupName>): Iterable<GroupName> =>
  groups.kind === 'exact' ? [groups.name] : everyName()

const namesOf = ({ directories }: ResolveInput) => [...directories.values()].flatMap((reading) => [...(seen(reading)?.keys() ?? [])])

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}

/**
 * A key's owner does not see private projects, so a mapping vouches for the one that it names. But what a rule sends whether the project is
 * known or not vouches for none: this program's own write would let the next plan write what was held.
 */
function vouchedProjects(
  { existing, projectsAgreed }: ResolveInput,
  claims: ReadonlyMap<Key, readonly Claim[]>,
): ReadonlySet<ProjectIdentifier> {
  const vouches = ({ key }: Mapping) => !ruling(claims.get(key) ?? []).some(({ sends }) => sends === true)
  const mapped = existing.flatMap((one) => (one.target.kind === 'project' && vouches(one) ? [one.target.project] : []))
  return new Set([...mapped, ...(projectsAgreed ?? [])])
}
