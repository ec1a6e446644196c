import { didYouMean } from '../core/nearest.ts'
import { counted, firstNames } from '../core/quantity.ts'
import { unknownRole, unknownRoleCure } from '../core/roles.ts'
import { positionText } from '../core/rule.ts'
import { type Path, problemAt, type YamlDocument } from '../yaml/document.ts'
import type { Problem } from '../yaml/problem.ts'
import { waivedRoles } from './compileWaivers.ts'
import type { LenientFile } from './schema.ts'

/** The names in the settings. */
export type KnownNames = {
  readonly workspaces: readonly string[]
  readonly directories: readonly string[]
  /** The roles that a rule may give; absent: any. */
  readonly roles?: readonly string[]
}

/** Problems for workspaces, directories and roles that the settings do not have, and for patterns if the settings have no directory. */
export function unknownNames(document: YamlDocument, { from, workspaces }: LenientFile, known: KnownNames): Problem[] {
  const inWorkspaces = Object.entries(workspaces).flatMap(([name, content]) => {
    const base: Path = ['workspaces', name]
    const strange = known.workspaces.includes(name)
      ? []
      : [problemAt(document, base, `the settings name no workspace "${name}"`, helpFor(name, known.workspaces, 'workspaces'), 'key')]
    const rules = [...listed(base, 'workspaceRoles', content.workspaceRoles), ...listed(base, 'projectRoles', content.projectRoles)]
    const roles = [
      ...rules.flatMap(({ rule, path }) => rolesIn(rule.role, [...path, 'role'])),
      ...rolesIn(content.groupSync?.defaultWorkspaceRole, [...base, 'groupSync', 'defaultWorkspaceRole']),
      ...waivedRoles(name, content),
    ]
    return [
      ...strange,
      ...fromProblems(document, base, content.from, known.directories),
      ...rules.flatMap(({ rule, path }) => ruleProblems(document, path, rule, known.directories)),
      ...roles.flatMap(({ role, path }) => roleProblems(document, path, role, known.roles)),
    ]
  })
  return [...fromProblems(document, [], from, known.directories), ...inWorkspaces]
}

type Named = { readonly role: string; readonly path: Path }

/** The roles that a rule may give, each with its place. */
function rolesIn(role: Sourced['role'] | null, path: Path): readonly Named[] {
  if (role === undefined || role === null) return []
  if (typeof role === 'string') return [{ role, path }]
  return Object.entries(role.map).map(([value, roleName]) => ({ role: roleName, path: [...path, 'map', value] }))
}

function roleProblems(document: YamlDocument, path: Path, role: string, known: KnownNames['roles']): Problem[] {
  return known === undefined || known.includes(role) ? [] : [problemAt(document, path, unknownRole(role), unknownRoleCure(role, known))]
}

type Sourced = {
  readonly role?: string | { readonly map: Readonly<Record<string, string>> } | undefined
  readonly from?: string | readonly string[] | undefined
  readonly groupGlob?: string | undefined
  readonly groupRegex?: string | undefined
}

function listed(base: Path, list: string, rules: readonly (Sourced | undefined)[] = []): { rule: Sourced; path: Path }[] {
  return rules.flatMap((rule, index) => (rule === undefined ? [] : [{ rule, path: base.concat(list, index) }]))
}

function ruleProblems(document: YamlDocument, path: Path, rule: Sourced, directories: readonly string[]): Problem[] {
  const problems = fromProblems(document, path, rule.from, directories)
  const pattern = rule.groupRegex === undefined ? 'groupGlob' : 'groupRegex'
  if (directories.length === 0 && rule[pattern] !== undefined) {
    const cure = 'a pattern matches groups that directories know: add a directory under "directories" in the settings, or name the groups'
    problems.push(problemAt(document, [...path, pattern], 'a pattern needs a directory, and the settings have none', cure, 'key'))
  }
  return problems
}

/** @param path of the rule, the workspace or the file that has this `from` */
function fromProblems(document: YamlDocument, path: Path, from: Sourced['from'], directories: readonly string[]): Problem[] {
  const names =
    typeof from === 'string' ? [{ name: from, at: ['from'] }] : (from ?? []).map((name, index) => ({ name, at: ['from', index] }))
  return names
    .filter(({ name }) => !directories.includes(name))
    .map(({ name, at }) =>
      problemAt(document, [...path, ...at], `the settings name no directory "${name}"`, helpFor(name, directories, 'directories')),
    )
}

function helpFor(name: string, known: readonly string[], what: string): string {
  if (known.length === 0) return `the settings have no ${what}`
  return `${didYouMean(name, known)}The settings have these ${what}: ${firstNames(known)}`
}

/** So many places of one mistake have a problem each, and a problem for more places names so many of them. */
const placesShown = 3

/**
 * Collects problems that one edit of the settings may repair, such as a workspace that they do not name. A mistake in many places becomes one
 * problem, with their number and the first places.
 */
export function repeatedProblems() {
  const byText = new Map<string, { readonly first: Problem[]; places: number }>()
  return {
    add(problem: Problem): void {
      const text = `${problem.message}\n${problem.cure ?? ''}`
      const entry = byText.get(text) ?? { first: [], places: 0 }
      byText.set(text, entry)
      entry.places++
      if (entry.first.length < placesShown) entry.first.push(problem)
    },
    /** Different mistakes. */
    size: () => byText.size,
    problems: (): readonly Problem[] =>
      [...byText.values()].flatMap(({ first, places }) => (places > placesShown ? [forAll(first, places)] : first)),
  }
}

function forAll([first, ...others]: readonly Problem[], places: number): Problem {
  const { message, cure, ...rest } = first as Problem
  const named = others.map(({ at }) => positionText(at)).join(', ')
  const also = `the same is in ${named} and ${counted(places - placesShown, 'other place')}`
  return { ...rest, message: `${message} (${counted(places, 'place')})`, cure: cure === undefined ? also : `${cure}; ${also}` }
}
