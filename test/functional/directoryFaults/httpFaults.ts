import { setTimeout as sleep } from 'node:timers/promises'
import { type FaultyProxy, type Passed, send } from './faultyProxy.ts'
import { type HttpKind, type HttpServer, jsonOf, type Order, type Row, withJson } from './httpKind.ts'
import { answering, at, bomb, edited, half, type PageRequest, type Strike, type Struck, status, stream } from './httpStrikes.ts'
import { renamedTeams, swappedTeams, type Trial } from './lists.ts'
import type { Team } from './teams.ts'

/** The surroundings of a fault: what it can act on. */
export type Surroundings = {
  readonly kind: HttpKind
  readonly server: HttpServer
  readonly order: Order
  readonly proxy: () => Pick<FaultyProxy, 'kill'>
  /** The origin of another server, which must never be asked. */
  readonly elsewhere: string
}

const pages = { First: 1, Middle: 2, Last: 3 } as const
type Place = keyof typeof pages

export function strikeOf(name: Trial, { kind, server, order, proxy, elsewhere }: Surroundings): Strike {
  const rows = (edit: (rows: readonly Row[]) => readonly Row[]) =>
    edited((passed) => withJson(passed, kind.withRows(jsonOf(passed), edit(kind.rows(jsonOf(passed))))))
  const placed = (make: (page: number) => Strike): Record<Place, Strike> => ({
    First: make(pages.First),
    Middle: make(pages.Middle),
    Last: make(pages.Last),
  })
  const error = placed((page) => at(page, answering(status(500))))
  const cutting = half(({ response }) => response.destroy())
  const cut = placed((page) => at(page, cutting))
  const stalling = half(() => undefined)
  const stall = placed((page) => at(page, stalling))
  const kill = placed((page) => at(page, () => proxy().kill()))
  let first = ''
  const seen = new Set<string>()

  /** The groups change after the first page was read. */
  const changing = (changed: readonly Team[]): Strike => {
    let isChanged = false
    return async ({ page }) => {
      if (page === 1 || isChanged) return 'spared'
      isChanged = true
      await server.change(inOrder(order, changed))
      return 'changed'
    }
  }
  const endless =
    (waitMs: number): Strike =>
    async (asked): Promise<Struck> => {
      const { page, url, response } = asked
      await sleep(waitMs)
      if (page === 1) {
        first = asked.path
        const passed = await asked.pass()
        send(response, kind.endlessFirst?.(passed) ?? passed)
      } else send(response, kind.endless(await asked.pass(page === 2 ? asked.path : first), url, page))
      return 'answered'
    }
  const when = (is: boolean, asked: PageRequest, passed: Passed): Struck => {
    if (!is) return 'spared'
    send(asked.response, passed)
    return 'answered'
  }

  const strikes: Readonly<Partial<Record<Trial, Strike>>> = {
    errorFirst: error.First,
    errorMiddle: error.Middle,
    errorLast: error.Last,
    errorOnce: (asked) => when(asked.page === 2 && asked.nth === 1, asked, status(500)),
    cutFirst: cut.First,
    cutMiddle: cut.Middle,
    cutLast: cut.Last,
    stallFirst: stall.First,
    stallMiddle: stall.Middle,
    stallLast: stall.Last,
    killFirst: kill.First,
    killMiddle: kill.Middle,
    killLast: kill.Last,
    resetMiddle: at(
      2,
      half(({ response }) => response.socket?.resetAndDestroy()),
    ),
    halfEntry: at(
      2,
      rows((all) => all.map((row, n) => (n === 1 ? kind.half(row) : row))),
    ),
    emptyPage: at(
      2,
      rows(() => []),
    ),
    ...(kind.tellsTotal
      ? {
          seesNothing: at(
            1,
            rows(() => []),
          ),
        }
      : {}),
    repeatedPage: async (asked): Promise<Struck> => {
      if (asked.page === 1) first = asked.path
      if (asked.page !== 2) return 'spared'
      send(asked.response, await asked.pass(first))
      return 'answered'
    },
    endlessQuick: endless(0),
    endlessSlow: endless(150),
    cutText: at(
      2,
      edited((passed) => ({ ...passed, body: passed.body.slice(0, passed.body.length / 2) })),
    ),
    html: at(2, answering({ status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html><h1>Sign in</h1>' })),
    nothing: at(2, answering({ status: 200, headers: {}, body: '' })),
    partOnly: at(
      2,
      edited((passed) => ({ ...passed, status: 206, headers: { ...passed.headers, 'content-range': 'items 4-5/12' } })),
    ),
    renamed: changing(renamedTeams),
    swapped: changing(swappedTeams),
    tokenExpires: (asked) => {
      if (asked.page === 1) seen.add(asked.authorization)
      return when(asked.page === 2 && seen.has(asked.authorization), asked, status(401))
    },
    rightsLost: at(2, answering(status(401))),
    throttledBriefly: (asked) => when(asked.page === 2 && asked.nth === 1, asked, status(429, { 'retry-after': '1' })),
    throttledLong: at(2, answering(status(429, { 'retry-after': '3600' }))),
    throttled: at(2, answering(status(429))),
    redirect: at(2, answering(status(302, { location: `${elsewhere}/groups` }))),
    linkElsewhere: at(
      1,
      edited((passed) => kind.linkTo?.(passed, elsewhere) ?? passed),
    ),
    bomb: at(2, (asked) => stream({ 'content-encoding': 'gzip' }, bomb(), 100)(asked)),
    huge: at(2, stream({}, Buffer.alloc(1024 * 1024, ' '), 2_048)),
    deep: at(2, answering(status(200, {}, '['.repeat(1_000_000) + ']'.repeat(1_000_000)))),
  }
  return strikes[name] ?? (() => 'spared')
}

const inOrder = (order: Order, groups: readonly Team[]): readonly Team[] =>
  order === 'id' ? groups : groups.toSorted((a, b) => (a.name < b.name ? -1 : 1))
