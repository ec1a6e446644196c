import { type Hash } from '../change.ts'
import { by, compare } from '../compare.ts'
import { type Key, type Role } from '../mapping.ts'
import { factName, type ToldFact } from '../memory/told.ts'
import { count, counted } from '../quantity.ts'
import { type Provenance } from '../rule.ts'

/**
 * A fact that somebody must act on, or know. `sentence` says it without a full stop, `cure` what to do. Both may have text from outside, which is
 * escaped where they are shown. `row`: the mapping or the change that it is about. `more`: how many facts it stands for. `grantsProtected`: it waits, and gives a
 * protected role. `moment`: it happened, and does not last; a `grave` one stands alone, and comes first.
 */
export type Notice = ToldFact & {
  readonly sentence: string
  readonly cure: string
  readonly row?: NoticeRow
  readonly more?: number
  readonly grantsProtected?: boolean
  readonly moment?: 'usual' | 'grave'
}

/** `id`: what `approve` takes. `before` and `after`: null if the mapping has no role, absent if there is no mapping. */
export type NoticeRow = {
  readonly key?: Key
  readonly id?: string
  readonly before?: Role | null
  readonly after?: Role | null
  readonly atMs?: number
  readonly because?: Provenance
}

/** How a message is written. `text`: Slack, Mattermost, Google Chat. `card`: the workflows of Microsoft Teams. `full`: a program. */
export const noticeFormats = ['text', 'card', 'full'] as const
export type NoticeFormat = (typeof noticeFormats)[number]

/** More facts of one kind, one workspace and the same owners are one. */
const alikeMax = 50

/**
 * The notices in a fixed order, with many of a kind as one: then a flood of facts is one fact, and what is told stays small. Moments stay as they are: what was
 * told of them does not count.
 */
export function withoutFloods(notices: readonly Notice[], hash: Hash): readonly Notice[] {
  const stateOf = (alike: readonly Notice[]) => {
    const states = alike.map((notice) => JSON.stringify([notice.about, notice.name, notice.state])).toSorted(compare)
    return hash(states.join('\n')).slice(0, 16)
  }
  const [moments, lasting] = [notices.filter(({ moment }) => moment !== undefined), notices.filter(({ moment }) => moment === undefined)]
  return [...moments.toSorted(by(factName)).toSorted(graveFirst), ...asFew(lasting, stateOf).toSorted(by(factName))]
}

/** New moments, with many of a kind as one. */
export const withoutMomentFloods = (moments: readonly Notice[]): readonly Notice[] => [
  ...moments.filter(isGrave),
  ...asFew(
    moments.filter((notice) => !isGrave(notice)),
    () => '',
  ),
]

export const isGrave = ({ moment }: Pick<Notice, 'moment'>): boolean => moment === 'grave'
const graveFirst = (a: Notice, b: Notice): number => Number(isGrave(b)) - Number(isGrave(a))

function asFew(notices: readonly Notice[], stateOf: (alike: readonly Notice[]) => string): readonly Notice[] {
  const groups = Map.groupBy(notices, ({ kind, workspace, owners }) => JSON.stringify([kind, workspace, owners]))
  return [...groups.values()].flatMap((alike) =>
    alike.length > alikeMax ? [flood(alike as [Notice, ...Notice[]], stateOf(alike))] : alike,
  )
}

function flood(alike: readonly [Notice, ...Notice[]], state: string): Notice {
  const [{ kind, workspace, owners, moment }] = alike
  const number = counted(alike.length, kind === 'waiting' ? 'approval' : kind === 'failed' ? 'failure' : 'mapping')
  const grants = alike.filter(({ grantsProtected }) => grantsProtected === true).length
  const ofProtected = grants === 0 ? '' : `, ${count(grants)} of them for a protected role (‼)`
  return {
    kind,
    ...(workspace === undefined ? {} : { workspace }),
    about: 'many',
    name: `${moment === undefined ? '' : 'edits '}${owners.join(', ')}`.trimEnd(),
    state,
    owners,
    sentence: `${floodText[kind](number)}${ofProtected}`,
    cure: '',
    more: alike.length,
    ...(moment === undefined ? {} : { moment }),
  }
}

const floodText: Readonly<Record<Notice['kind'], (number: string) => string>> = {
  waiting: (number) => `${number} are needed`,
  failed: (number) => `there are ${number}`,
  'foreign-edit': (number) => `${number} were edited in Plane`,
  'ends-soon': (number) => `${number} end soon`,
}
