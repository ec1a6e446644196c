import type { DialectName } from './dialect.ts'
import type { LoggedRequest } from './request-log.ts'
import { publicKey, type State } from './state.ts'
import { limitText } from './throttle.ts'

/** The lines that a person sees at the start. The first one is the address alone, for scripts. No key of a state file is shown. */
export function startLines(
  url: string,
  state: State,
  { dialect, file }: { readonly dialect: DialectName; readonly file: string | undefined },
): readonly string[] {
  const { keys } = state
  const isPublic = keys.length === 1 && keys[0]?.value === publicKey
  return [
    url,
    `  key         ${isPublic ? `${publicKey}, in the header X-API-Key` : `${keys.length} in ${file ?? 'the state'}`}`,
    `  workspaces  ${shortened(Object.entries(state.workspaces).map(workspaceText)) || 'none'}`,
    `  dialect     ${dialect}`,
    `  limit       ${limitText(state.limit)} for each credential`,
    `  control     ${url}/_sandbox/`,
  ]
}

function workspaceText([slug, { projects }]: [string, State['workspaces'][string]]): string {
  return `${slug} (${shortened(projects.map(({ identifier }) => identifier)) || 'no projects'})`
}

const shownMax = 5
function shortened(texts: readonly string[]): string {
  const more = texts.length - shownMax
  return [...texts.slice(0, shownMax), ...(more > 0 ? [`… ${more} more`] : [])].join(', ')
}

/** One request as a sentence for the log: no body, and no credential but its name. */
export function requestLine(request: LoggedRequest, tookMs: number): string {
  const { method, path, query, status, credential, remaining, faults } = request
  return [
    `${method} ${path}${query === '' ? '' : `?${query}`} ${status ?? 'no answer'} in ${tookMs} ms`,
    `credential ${credential}`,
    ...(remaining === undefined ? [] : [`${remaining} left`]),
    ...faults.map((fault) => `fault "${fault}"`),
  ].join(' · ')
}
