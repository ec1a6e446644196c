import type { GroupSync } from '../core/rule.ts'
import { visible } from '../core/safeName.ts'

/** As the operator knows them from the service's own pages. */
const words: Readonly<Record<keyof GroupSync, string>> = {
  enabled: 'group sync',
  syncOnLogin: 'sync at login',
  autoRemove: 'auto-remove',
  offlineSync: 'offline sync',
  groupAttribute: 'claim',
  defaultWorkspaceRole: 'default role',
}
const names = Object.keys(words) as (keyof GroupSync)[]

/** `group sync on · claim "groups" · auto-remove off · offline sync every 2 h`: what is known, and at login only where it is off. */
export function groupSyncText(settings: GroupSync): string {
  const shown = (['enabled', 'groupAttribute', 'syncOnLogin', 'autoRemove', 'offlineSync', 'defaultWorkspaceRole'] as const).filter(
    (name) => settings[name] !== undefined && !(name === 'syncOnLogin' && settings.syncOnLogin === true) && settings[name] !== null,
  )
  return shown
    .map((name) =>
      name === 'offlineSync' && settings.offlineSync === true ? 'offline sync every 2 h' : `${words[name]} ${valueText(settings[name])}`,
    )
    .join(' · ')
}

/** `auto-remove off → on · claim "groups" → "roles"` */
export function groupSyncChangeText(before: GroupSync, after: GroupSync): string {
  return names
    .filter((name) => name in after || name in before)
    .map((name) => `${words[name]} ${valueText(before[name])} → ${valueText(after[name])}`)
    .join(' · ')
}

/**
 * When people will feel what is written: the service turns mappings into memberships at login and, for OIDC and LDAP with offline sync,
 * every two hours (its documentation of group sync). Without auto-remove nobody loses what they have.
 */
export function feltText(settings: GroupSync | undefined, takesAway: boolean): string {
  const { enabled, syncOnLogin, offlineSync, autoRemove } = settings ?? {}
  if (enabled === false) return 'Never felt by itself: group sync is off in this workspace.'
  const kept = takesAway && autoRemove === false ? ' Auto-remove is off: whoever loses a mapping keeps what they have.' : ''
  if (syncOnLogin === undefined || offlineSync === undefined) {
    return `Felt at the next login or within 2 h, where the workspace has these on: its settings were not read.${kept}`
  }
  if (!syncOnLogin && !offlineSync) return 'Never felt by itself: neither sync at login nor offline sync is on.'
  return `Felt ${[...(syncOnLogin ? ['at the next login'] : []), ...(offlineSync ? ['within 2 h'] : [])].join(' or ')}.${kept}`
}

function valueText(value: boolean | string | null | undefined): string {
  switch (value) {
    case undefined:
      return 'unset'
    case null:
      return 'none'
    case true:
      return 'on'
    case false:
      return 'off'
    default:
      return `"${visible(value)}"`
  }
}
