import { whole } from '../../core/fields.ts'
import type { ProjectIdentifier, Target } from '../../core/mapping.ts'
import { notUnderstood, read, type Tell } from './unknown.ts'

export type StoredTarget =
  | { readonly kind: 'workspace' }
  | { readonly kind: 'project'; readonly project: ProjectIdentifier }
  | { readonly kind: 'allProjects' }

export function storedTarget(target: Target): StoredTarget {
  switch (target.kind) {
    case 'workspace': {
      const { kind: _, ...rest } = target
      return whole({ kind: 'workspace' }, rest)
    }
    case 'project': {
      const { kind: _, project, ...rest } = target
      return whole({ kind: 'project', project }, rest)
    }
    case 'allProjects': {
      const { kind: _, ...rest } = target
      return whole({ kind: 'allProjects' }, rest)
    }
    default:
      return target satisfies never
  }
}

export function targetFromStored(stored: StoredTarget, tell: Tell): Target {
  const { kind } = stored
  switch (stored.kind) {
    case 'workspace': {
      const { kind: _, ...rest } = stored
      return read({ kind: 'workspace' }, rest, tell)
    }
    case 'project': {
      const { kind: _, project, ...rest } = stored
      return read({ kind: 'project', project }, rest, tell)
    }
    case 'allProjects': {
      const { kind: _, ...rest } = stored
      return read({ kind: 'allProjects' }, rest, tell)
    }
    default:
      stored satisfies never
      throw notUnderstood('the target', kind)
  }
}
