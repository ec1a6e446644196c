import { nearest } from '../core/nearest.ts'
import { type Path, problemAt, type YamlDocument } from '../yaml/document.ts'
import type { Problem } from '../yaml/problem.ts'
import type { LenientFile } from './lenient.ts'

/** The names in the settings. */
export type KnownNames = { readonly workspaces: readonly string[]; readonly directories: readonly string[] }

/** Problems for workspaces and directories that the settings do not have, and for patterns if the settings have no directory. */
export function unknownNames(document: YamlDocument, { workspaces }: LenientFile, known: KnownNames): Problem[] {
  return Object.entries(workspaces).flatMap(([name, said]) => {
    const base: Path = ['workspaces', name]
    const strange = known.workspaces.includes(name)
      ? []
      : [problemAt(document, base, `the settings name no workspace "${name}"`, helpFor(name, known.workspaces, 'workspaces'), 'key')]
    const rules = [...listed(base, 'workspaceRoles', said.workspaceRoles), ...listed(base, 'projectRoles', said.projectRoles)]
    return strange.concat(rules.flatMap(({ rule, path }) => ruleProblems(document, path, rule, known.directories)))
  })
}

type Sourced = {
  readonly from?: string | readonly string[] | undefined
  readonly groupGlob?: string | undefined
  readonly groupRegex?: string | undefined
}

function listed(base: Path, list: string, rules: readonly (Sourced | undefined)[] = []): { rule: Sourced; path: Path }[] {
  return rules.flatMap((rule, index) => (rule === undefined ? [] : [{ rule, path: base.concat(list, index) }]))
}

function ruleProblems(document: YamlDocument, path: Path, rule: Sourced, directories: readonly string[]): Problem[] {
  const from =
    typeof rule.from === 'string'
      ? [{ name: rule.from, at: ['from'] }]
      : (rule.from ?? []).map((name, index) => ({ name, at: ['from', index] }))
  const problems = from
    .filter(({ name }) => !directories.includes(name))
    .map(({ name, at }) =>
      problemAt(document, [...path, ...at], `the settings name no directory "${name}"`, helpFor(name, directories, 'directories')),
    )
  const pattern = rule.groupRegex === undefined ? 'groupGlob' : 'groupRegex'
  if (directories.length === 0 && rule[pattern] !== undefined) {
    const cure = 'a pattern matches groups that directories know: add a directory under "directories" in the settings, or name the groups'
    problems.push(problemAt(document, [...path, pattern], 'a pattern needs a directory, and the settings have none', cure, 'key'))
  }
  return problems
}

function helpFor(name: string, known: readonly string[], what: string): string {
  if (known.length === 0) return `the settings have no ${what}`
  const near = nearest(name, known)
  const some = known.slice(0, 10).join(', ') + (known.length > 10 ? `, … (${known.length})` : '')
  return `${near === undefined ? '' : `did you mean "${near}"? `}The settings have these ${what}: ${some}`
}
