import type { GroupSync } from '../core/groupSync.ts'
import { oneLine } from '../core/safeName.ts'

/** The settings' names as on the service's own pages. */
const words: Readonly<Record<keyof GroupSync, string>> = {
  enabled: 'group sync',
  syncOnLogin: 'sync at login',
  autoRemove: 'auto-remove',
  offlineSync: 'offline sync',
  groupAttribute: 'claim',
  defaultWorkspaceRole: 'default role',
}
const names = Object.keys(words) as (keyof GroupSync)[]

/** `group sync on · claim "groups" · auto-remove off · offline sync every 2 h` */
export const groupSyncText = (settings: GroupSync): string =>
  groupSyncParts(settings)
    .map(({ text }) => text)
    .join(' · ')

/** Each setting in words. Unset ones and an enabled sync at login are left out. `isDangerous`: it takes access away. */
export function groupSyncParts(settings: GroupSync): readonly { readonly text: string; readonly isDangerous: boolean }[] {
  const shown = (['enabled', 'groupAttribute', 'syncOnLogin', 'autoRemove', 'offlineSync', 'defaultWorkspaceRole'] as const).filter(
    (name) => settings[name] !== undefined && !(name === 'syncOnLogin' && settings.syncOnLogin === true) && settings[name] !== null,
  )
  return shown.map((name) => ({
    text:
      name === 'offlineSync' && settings.offlineSync === true ? 'offline sync every 2 h' : `${words[name]} ${valueText(settings[name])}`,
    isDangerous: name === 'autoRemove' && settings.autoRemove === true,
  }))
}

/** `auto-remove off → on · claim "groups" → "roles"` */
export function groupSyncChangeText(before: GroupSync, after: GroupSync): string {
  return names
    .filter((name) => name in after || name in before)
    .map((name) => `${words[name]} ${valueText(before[name])} → ${valueText(after[name])}`)
    .join(' · ')
}

/** `auto-remove on instead of off · default role "owner" instead of "guest"` */
export const groupSyncAnswerText = (sent: GroupSync, answered: GroupSync): string =>
  names
    .filter((name) => name in answered)
    .map((name) => `${words[name]} ${valueText(answered[name])} instead of ${valueText(sent[name])}`)
    .join(' · ')

/**
 * When a written mapping takes effect; empty if the settings were not read. The service turns mappings into memberships at login and, for OIDC and
 * LDAP with offline sync, every two hours (its documentation of group sync). Without auto-remove it takes no membership away.
 *
 * @param isRefused the plan is not written, unless a person approves it
 */
export function feltText(settings: GroupSync | undefined, takesAway: boolean): string {
  const { enabled, syncOnLogin, offlineSync, autoRemove } = settings ?? {}
  const never = withoutEffectText(settings)
  if (never !== '') return never
  // A setting that Plane's answer lacks is unknown.
  const ways =
    enabled === true ? [...(syncOnLogin === true ? ['at the next login'] : []), ...(offlineSync === true ? ['within 2 h'] : [])] : []
  return [
    ...(ways.length === 0 ? [] : [`Takes effect ${ways.join(' or ')}.`]),
    ...(takesAway && autoRemove === false ? [membershipsStayText] : []),
  ].join(' ')
}

/** Why mappings take no effect at all; empty if they take effect, or if that is not known. */
export function withoutEffectText({ enabled, syncOnLogin, offlineSync }: GroupSync = {}): string {
  if (enabled === false) return 'Takes no effect: group sync is off in this workspace.'
  return syncOnLogin === false && offlineSync === false ? 'Takes no effect: neither sync at login nor offline sync is on.' : ''
}

export const membershipsStayText = 'Auto-remove is off: people keep the access that they have.'

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
      return `"${oneLine(value, 100)}"`
  }
}
