import { list, object, optional, string } from '../codec.ts'
import type { WorkspaceName } from '../mapping.ts'

/** What a notice can be about. The settings name these kinds. */
export const noticeKinds = ['waiting', 'failed', 'foreign-edit', 'ends-soon'] as const
export type NoticeKind = (typeof noticeKinds)[number]

/**
 * What a fact can be about: the words before its name, and whether the name comes from `outside`, so that a line quotes it as other names. Other names are words
 * of this program, and owners. `edit`: a moment, which is never over.
 */
export const factSubjects = {
  mapping: { words: '', name: 'outside' },
  set: { words: 'set of', name: 'own' },
  write: { words: 'write', name: 'own' },
  cycle: { words: 'cycle', name: 'own' },
  file: { words: 'file', name: 'outside' },
  declaration: { words: 'declaration', name: 'own' },
  edit: { words: 'edit', name: 'outside' },
  undone: { words: 'undone', name: 'outside' },
  anotherWriter: { words: 'another writer', name: 'own' },
  many: { words: 'many', name: 'own' },
} as const satisfies Readonly<Record<string, { readonly words: string; readonly name: 'outside' | 'own' }>>
type FactSubject = keyof typeof factSubjects

/**
 * A fact of which people were told. `name` names it among those of its kind, workspace and subject (`about`), and stays as long as the fact does; it is empty if
 * there is only one. `state`: people are told again when it differs. `owners`: those of fences, sorted; the word that it is over goes to them, too. Without
 * `workspace` it is about the declaration.
 *
 * The journal has the name itself, not a hash: after a restart, too, *over* must say what is over.
 */
export type ToldFact = {
  readonly kind: NoticeKind
  readonly workspace?: WorkspaceName
  readonly about: FactSubject
  readonly name: string
  readonly state: string
  readonly owners: readonly string[]
}

/** The facts as the journal has them. */
export const storedTold = list(
  object<ToldFact>({
    kind: string<NoticeKind>(),
    workspace: optional(string<WorkspaceName>()),
    about: string<FactSubject>(),
    name: string(),
    state: string(),
    owners: list(string()),
  }),
)

/** What is told of a fact, for the journal. `gone`: names of facts of which nothing is remembered any more. */
export type ToldChange = { readonly told: readonly ToldFact[]; readonly gone: readonly string[] }

/** So many facts are remembered. Later ones are not told, so that they are not told in each cycle. */
export const toldMax = 5_000

/** The name of a fact. No two facts have the same: the name of a workspace has no slash. */
export const factName = ({ kind, workspace, about, name }: Pick<ToldFact, 'kind' | 'workspace' | 'about' | 'name'>): string =>
  `${kind} ${workspace ?? ''}/${about}${name === '' ? '' : ` ${name}`}`

/** What is told after one more entry. */
export function toldAfter(before: readonly ToldFact[], { told, gone }: ToldChange): readonly ToldFact[] {
  const replaced = new Set([...gone, ...told.map(factName)])
  return [...before.filter((fact) => !replaced.has(factName(fact))), ...told].slice(-toldMax)
}

/** What is told after workspaces got other names. */
export const renamedTold = (told: readonly ToldFact[], name: (old: string) => string): readonly ToldFact[] =>
  told.map((fact) => (fact.workspace === undefined ? fact : { ...fact, workspace: name(fact.workspace) as WorkspaceName }))
