import { defined, whole } from '../core/fields.ts'
import type { ProjectIdentifier, Role, Target } from '../core/mapping.ts'
import type { GroupSync, Provenance } from '../core/rule.ts'

/** The fields that several parts of the document of a plan have in common. */
export type DocumentTarget =
  | { readonly kind: 'workspace' }
  | { readonly kind: 'project'; readonly project: ProjectIdentifier }
  | { readonly kind: 'allProjects' }

export function documentTarget(target: Target): DocumentTarget {
  if (target.kind === 'project') {
    const { kind, project, ...rest } = target
    return whole({ kind, project }, rest)
  }
  const { kind, ...rest } = target
  return whole({ kind }, rest)
}

export function targetFromDocument(target: DocumentTarget): Target {
  const { kind } = target
  return kind === 'project' ? { kind, project: target.project } : { kind }
}

export type DocumentBecause = {
  readonly at: { readonly file: string; readonly line: number; readonly column: number }
  readonly owner?: string | undefined
  readonly reason?: string | undefined
  readonly directory?: string | undefined
  readonly expiresMs?: number | undefined
}

export const documentBecause = ({
  at: { file, line, column },
  owner,
  reason,
  directory,
  expiresMs,
  ...rest
}: Provenance): DocumentBecause => whole({ at: { file, line, column }, owner, reason, directory, expiresMs }, rest)

export const becauseFromDocument = ({ at: { file, line, column }, owner, reason, directory, expiresMs }: DocumentBecause): Provenance =>
  defined({ at: { file, line, column }, owner, reason, directory, expiresMs })

export type DocumentSettings = {
  readonly enabled?: boolean | undefined
  readonly syncOnLogin?: boolean | undefined
  readonly autoRemove?: boolean | undefined
  readonly offlineSync?: boolean | undefined
  readonly groupAttribute?: string | undefined
  readonly defaultWorkspaceRole?: Role | null | undefined
}

export function documentSettings(settings: GroupSync): DocumentSettings {
  const { enabled, syncOnLogin, autoRemove, offlineSync, groupAttribute, defaultWorkspaceRole, ...rest } = settings
  return whole({ enabled, syncOnLogin, autoRemove, offlineSync, groupAttribute, defaultWorkspaceRole }, rest)
}

export function settingsFromDocument(settings: DocumentSettings): GroupSync {
  const { enabled, syncOnLogin, autoRemove, offlineSync, groupAttribute, defaultWorkspaceRole } = settings
  return defined({ enabled, syncOnLogin, autoRemove, offlineSync, groupAttribute, defaultWorkspaceRole })
}
