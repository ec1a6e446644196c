import type { Change } from './change.ts'
import type { GroupName, Key, Role } from './mapping.ts'
import type { Because } from './rule.ts'

/** A change that waits, or a key about which nothing can be decided. What exists stays. */
export type Hold = {
  readonly key: Key
  readonly group: GroupName
  readonly change?: Change
  readonly reason: HoldReason
  readonly untilMs?: number
  readonly because?: Because
}

export type HoldReason =
  /** No complete reading contains the group. `mapped`: a mapping for it exists already (dangling). */
  | { readonly kind: 'groupUnknown'; readonly directories: readonly string[]; readonly near?: GroupName; readonly mapped: boolean }
  | { readonly kind: 'projectUnknown'; readonly project: string; readonly near?: string }
  | { readonly kind: 'projectUnmapped'; readonly captured: string }
  | { readonly kind: 'roleUnmapped'; readonly captured: string; readonly allowed: readonly string[] }
  /** The same name in two places, and no `from` that tells them apart. */
  | { readonly kind: 'ambiguous'; readonly places: readonly string[] }
  /** Two patterns, or two matches, want different roles for one key. */
  | { readonly kind: 'conflict'; readonly roles: readonly Role[]; readonly rules: readonly Because[] }
  /** Blank edges, control or direction characters. */
  | { readonly kind: 'unsafeName'; readonly what: string }
  | { readonly kind: 'readingIncomplete'; readonly of: string; readonly why: string }
  /** Policy: exists, and nobody declares it. */
  | { readonly kind: 'undeclared'; readonly policy: string }
  | { readonly kind: 'policy'; readonly policy: string }
  /** Waits for approval: protected role, protected group, the workspace's own settings, a protected role in all projects. */
  | {
      readonly kind: 'approval'
      readonly why: 'protectedRole' | 'protectedGroup' | 'groupSync' | 'allProjectsProtected'
      readonly id: string
    }
  /** An earlier write of unknown outcome touches the key. */
  | { readonly kind: 'quarantined' }
  | { readonly kind: 'rejected'; readonly status: number; readonly sentence: string }
  /** The service answered a write with another role than was sent. */
  | { readonly kind: 'roleEchoed'; readonly sent: Role; readonly echoed: Role }
  /** A change that this one requires did not succeed. */
  | { readonly kind: 'requires'; readonly key: Key }
  | { readonly kind: 'suspended'; readonly reason: string }
