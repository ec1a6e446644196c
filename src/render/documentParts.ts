import { defined, whole } from '../core/fields.ts'
import type { GroupSync } from '../core/groupSync.ts'
import type { Target } from '../core/mapping.ts'
import type { Provenance } from '../core/rule.ts'
import type { DocumentBecause, DocumentSettings, DocumentTarget } from '../documents/parts.ts'

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

export const documentBecause = ({
  at: { file, line, column },
  owner,
  reason,
  pattern,
  directory,
  expiresMs,
  ...rest
}: Provenance): DocumentBecause => whole({ at: { file, line, column }, owner, reason, pattern, directory, expiresMs }, rest)

export const becauseFromDocument = ({
  at: { file, line, column },
  owner,
  reason,
  pattern,
  directory,
  expiresMs,
}: DocumentBecause): Provenance => defined({ at: { file, line, column }, owner, reason, pattern, directory, expiresMs })

export function documentSettings(settings: GroupSync): DocumentSettings {
  const { enabled, syncOnLogin, autoRemove, offlineSync, groupAttribute, defaultWorkspaceRole, ...rest } = settings
  return whole({ enabled, syncOnLogin, autoRemove, offlineSync, groupAttribute, defaultWorkspaceRole }, rest)
}

export function settingsFromDocument(settings: DocumentSettings): GroupSync {
  const { enabled, syncOnLogin, autoRemove, offlineSync, groupAttribute, defaultWorkspaceRole } = settings
  return defined({ enabled, syncOnLogin, autoRemove, offlineSync, groupAttribute, defaultWorkspaceRole })
}
