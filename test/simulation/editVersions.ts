import type { DeclaredRule, DeclaredWorkspace, Place } from './declared.ts'
import { settled } from './generate.ts'
import type { Spec, Version } from './spec.ts'

/** Edits every version of the declaration in the same way. */
export const edited = (spec: Spec, edit: (one: DeclaredWorkspace) => DeclaredWorkspace): Spec => ({
  ...spec,
  versions: spec.versions.map((version) => editedVersion(version, edit)),
})

/** Edits every version from a moment on, and adds one version at that moment. */
export function editedFrom(spec: Spec, atMs: number, edit: (one: DeclaredWorkspace) => DeclaredWorkspace): Spec {
  const before = spec.versions.filter((version, index) => index === 0 || version.atMs <= atMs)
  const after = spec.versions.slice(before.length)
  const current = before.at(-1)
  if (current === undefined) return spec
  const { declared } = current
  const fresh: Version = editedVersion({ atMs, declared: { ...declared, comment: `${declared.comment}, edited at ${atMs}` } }, edit)
  return { ...spec, versions: [...before, fresh, ...after.map((version) => editedVersion(version, edit))] }
}

const editedVersion = (version: Version, edit: (one: DeclaredWorkspace) => DeclaredWorkspace): Version => ({
  ...version,
  declared: { ...version.declared, workspaces: version.declared.workspaces.map(edit) },
})

/** Adds rules. If two rules contradict each other, the earlier one stays. A list that is not owned stays not owned. */
export function withRules(one: DeclaredWorkspace, more: readonly DeclaredRule[]): DeclaredWorkspace {
  const joined = (list: readonly DeclaredRule[], isWorkspace: boolean) =>
    settled([...list, ...more.filter(({ at }) => (at === 'workspace') === isWorkspace)], one.removed, one.unmanaged)
  return {
    ...one,
    ...(one.workspaceRoles === undefined ? {} : { workspaceRoles: joined(one.workspaceRoles, true) }),
    ...(one.projectRoles === undefined ? {} : { projectRoles: joined(one.projectRoles, false) }),
  }
}

/** The last version always declares these, so that no list is empty at the end. */
export const isSteady = ({ group, at }: Place): boolean => (group === 'it' && at === 'workspace') || (group === 'all' && at === 'OPS')
