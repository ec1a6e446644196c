import type { UnboundOrder } from '../../src/commands/orders/askDaemon.ts'
import { passOf } from '../../src/core/hold.ts'
import type { Service } from '../../src/core/memory/entry.ts'
import type { OrderAnswer } from '../../src/documents/daemonOrder.ts'
import type { PlanDocument, PlannedWorkspace } from '../../src/documents/plan.ts'
import { type Answered, submitOrder } from '../../src/orders/hand.ts'
import { type Approvable, approvablesOf, idsIn, wordsOf } from '../../src/render/approvable.ts'
import type { Allowance } from './audit/approvals.ts'
import type { Shown } from './audit/orders.ts'
import { type Chance, chance } from './chance.ts'
import type { WaivedChange } from './declared.ts'
import type { OrdersDisk } from './ordersDisk.ts'
import { sleep } from './sleep.ts'
import type { Ordering } from './spec.ts'
import type { Time } from './time.ts'
import type { Happened } from './trace.ts'

/** A daemon to which an order can be handed. */
export type Holder = {
  readonly process: number
  readonly token: string
  readonly folder: string
  /** The names of the approvals in force that were given for this reason, as `status` shows them. */
  readonly approvals: (reason: string) => readonly string[]
}

type Around = {
  readonly seed: number
  readonly time: Time
  readonly orders: OrdersDisk
  readonly trace: (event: Happened) => void
  /** The daemon that has a journal open; undefined if none has. */
  readonly holder: (folder?: string) => Holder | undefined
  /** That of the settings of the command. */
  readonly service: () => Service
}

/** A person or a job that runs a command beside the daemon: one order, or several after each other. */
export type Asker = { readonly kill: () => void }

/**
 * Hands orders over like the commands do (`src/commands/orders`), which know the lock only from the real disk. The person reads the document of the
 * plan and decides by it; the auditor gets what this person has seen and said.
 */
export function startAsker(number: number, wish: Ordering, around: Around): Asker {
  const { time, trace } = around
  const luck = chance(around.seed, `asker ${number}`)
  const stop = new AbortController()
  let alive = true
  let orders = 0
  const port = <T>(work: () => Promise<T>): Promise<T> =>
    alive
      ? new Promise((resolve, reject) => {
          work().then(
            (value) => (alive ? resolve(value) : undefined),
            (error: unknown) => (alive ? reject(error as Error) : undefined),
          )
        })
      : new Promise<never>(() => {})

  function kill(): void {
    if (!alive) return
    alive = false
    trace({ atMs: time.now(), is: 'askerGone', asker: number })
  }

  const skewMs = luck.between(-600_000, 600_000)
  const clock = {
    now: () => time.now() + skewMs,
    sleep: (ms: number, signal: AbortSignal) => port(() => sleep(time, ms, signal)),
  }

  /** Undefined: there is no answer. */
  async function ask(
    order: Exclude<UnboundOrder, { kind: 'record' | 'explain' | 'report' | 'doctor' | 'running' }>,
    asked: Pick<Asks, 'allowed' | 'shown' | 'only' | 'ends'>,
  ): Promise<OrderAnswer | undefined> {
    const holder = around.holder()
    if (holder === undefined || !alive) return undefined
    const { folder } = holder
    const { path } = around.orders.mount(folder, port)
    const name = `${number}-${orders++}`
    const isElsewhere = wish.misdirected === true
    const run = isElsewhere ? holder.token.replace('process', 'another') : holder.token
    trace({
      atMs: time.now(),
      is: 'asks',
      asker: number,
      order: name,
      kind: order.kind,
      ...(isElsewhere ? {} : { run: holder.process }),
      ...asked,
    })
    const options = { folder: path, run, clock, holder: async () => (isElsewhere ? run : around.holder(folder)?.token) }
    const handed = await port(() => submitOrder({ ...order, service: around.service(), by: name }, options, stop.signal))
    trace({ atMs: time.now(), is: 'heard', asker: number, order: name, ...heardOf(handed) })
    return handed.kind === 'answered' ? (handed.answer as OrderAnswer) : undefined
  }

  async function main(): Promise<void> {
    const only = wish.only === undefined ? undefined : [wish.only]
    const about = { ...(only === undefined ? {} : { only: only as never }), allow: [], by: 'person', show }
    if (wish.kind === 'reconcile')
      return void (await ask({ kind: 'cycle', ...about }, { allowed: [], ...(only === undefined ? {} : { only }) }))
    const plan = await ask({ kind: 'plan', ...about }, { allowed: [], ...(only === undefined ? {} : { only }) })
    if (plan?.reviewed === undefined && wish.kind === 'apply') return
    const plans = plan === undefined ? [] : plansIn(plan)
    await clock.sleep(wish.thinksMs, stop.signal)
    if (wish.kind === 'apply') return await apply(plan as OrderAnswer, plans, about)
    const given = plans.flatMap((one) => approvalsOf(one, wish, luck)).filter(() => luck.is(wish.allows))
    if (given.length === 0) return
    const approvals = given.map(({ workspace, words }) => ({ workspace, words, passes: [] })) as never
    const { forMs } = wish
    const reason = `reason of ${number}`
    const allowed = given.map(({ seen }, index) => ({ ...seen, name: `${number}#${index}` }))
    await Promise.all([ask({ kind: 'approve', approvals, forMs, reason, by: 'person', show }, { allowed }), takeBack(reason)])
  }

  /** A person finds the name of the first approval in `status`, also while its cycle runs. */
  async function takeBack(reason: string): Promise<void> {
    if (wish.withdrawsMs === undefined) return
    await clock.sleep(wish.withdrawsMs, stop.signal)
    const [approval] = around.holder()?.approvals(reason) ?? []
    if (approval !== undefined) await ask({ kind: 'withdraw', approval, by: 'person' }, { allowed: [], ends: `${number}#0` })
  }

  /** Writes the plan that was shown, with some of the changes that wait. */
  async function apply(
    plan: OrderAnswer,
    plans: readonly PlannedWorkspace[],
    about: { readonly show: typeof show; readonly by: string },
  ): Promise<void> {
    const allow: string[] = []
    const allowed: Allowance[] = []
    for (const one of plans) {
      const { workspace, fingerprint, changes, holds, sets } = one
      const allows = (id: string, of: readonly DocumentChange[]) => {
        if (!luck.is(wish.allows)) return
        allow.push(id)
        const people = peopleIn(id)
        const forPeople = people === undefined ? {} : { people, name: `${number}#${allowed.length}` }
        allowed.push({ workspace, changes: of.flatMap(approvedOf), untilMs: Number.POSITIVE_INFINITY, ...forPeople })
      }
      const held = holds.flatMap(({ change, reason }) => (change === undefined ? [] : [{ change, reason }]))
      // The ID of a plan approves all of its changes.
      if (sets.length > 0 && luck.is(0.3)) allows(fingerprint.slice(0, 32), [...changes, ...held.map(({ change }) => change)])
      for (const { id, limit, count, changes: ids } of sets)
        allows(
          givenId(passOf({ name: limit, pass: id, count }), wish),
          held.map(({ change }) => change).filter((change) => ids.includes(change.id)),
        )
      // A change of a set passes by its own ID, too.
      for (const { change, reason } of held)
        if (reason.kind === 'approval' && (reason.why !== 'limit' || luck.is(0.2))) allows(givenId(ownId(change, reason), wish), [change])
    }
    const only = wish.only === undefined ? {} : { only: [wish.only] }
    // With approvals it is another plan, which is shown again.
    const again = allow.length === 0 ? plan : await ask({ kind: 'plan', ...about, allow }, { allowed: [], ...only })
    if (again?.reviewed === undefined) return
    const shown = plansIn(again).flatMap(shownIn)
    await ask(
      { kind: 'cycle', ...about, allow, reviewed: again.reviewed },
      { allowed: allowed.map((one) => asShown(one, shown)), shown, ...only },
    )
  }

  const { givesUpMs, diesMs } = wish
  if (givesUpMs !== undefined) time.at(time.now() + givesUpMs, () => (alive ? stop.abort(new Error('the person gave up')) : undefined))
  if (diesMs !== undefined) time.at(time.now() + diesMs, kill)
  time.at(time.now(), () => {
    main()
      .catch((error: unknown) => {
        if (!stop.signal.aborted) trace({ atMs: time.now(), is: 'askerBroke', asker: number, error: String(error) })
      })
      .finally(() => {
        alive = false
      })
  })
  return { kill }
}

type Asks = Extract<Happened, { readonly is: 'asks' }>

const show = { format: 'json', all: false, columns: 100, colour: false, terminal: false } as const

const heardOf = (handed: Answered) =>
  handed.kind === 'answered'
    ? { how: handed.kind, exit: (handed.answer as OrderAnswer).exit }
    : { how: handed.kind, ...(handed.kind === 'gone' ? { wasTaken: handed.wasTaken } : {}) }

function plansIn({ out }: OrderAnswer): readonly PlannedWorkspace[] {
  if (out === '') return []
  const { workspaces } = JSON.parse(out) as PlanDocument
  return workspaces.flatMap((one) => ('failed' in one ? [] : [one]))
}

type DocumentChange = PlannedWorkspace['changes'][number]
const atOf = ({ target }: Exclude<DocumentChange, { action: 'settings' }>): string =>
  target.kind === 'workspace' ? 'workspace' : target.kind === 'allProjects' ? '*' : target.project

/** A change as the person reads it in the document of a plan. */
function approvedOf(change: DocumentChange): readonly WaivedChange[] {
  if (change.action === 'settings') return []
  const { group } = change
  return [
    {
      ...{ group, at: atOf(change) },
      ...('before' in change ? { from: change.before ?? '' } : {}),
      ...('role' in change ? { to: change.role } : {}),
      ...(change.action === 'rename' ? { was: change.fromGroup } : {}),
      ...(change.action === 'delete' || change.groupId === undefined ? {} : { id: change.groupId }),
    },
  ]
}

/**
 * The ID of a change covers its group's name, not the group's id. If the group got another id after the first plan, the person approved the change with
 * the id that the second plan showed.
 */
function asShown(allowance: Allowance, shown: readonly Shown[]): Allowance {
  const changes = allowance.changes.map((change) => {
    const { id, ...named } = change
    const same = shown.find(
      (one) => one.workspace === allowance.workspace && one.group === named.group && one.at === named.at && one.to === named.to,
    )
    return same?.id === undefined || id === undefined ? change : { ...named, id: same.id }
  })
  return { ...allowance, changes }
}

/** What the document says that an apply would write: its changes, and those that wait only for an earlier write or for each other. */
function shownIn({ workspace, changes, holds }: PlannedWorkspace): readonly Shown[] {
  const soon = holds.flatMap(({ change, reason }) =>
    change !== undefined && (reason.kind === 'quarantined' || reason.kind === 'requires') ? [change] : [],
  )
  return [...changes, ...soon].flatMap(approvedOf).map((one) => ({ workspace, ...one }))
}

type Given = { readonly workspace: string; readonly words: unknown; readonly seen: Allowance }

/** The words for all that waits in a plan. `seen`: what the person has read. */
function approvalsOf(plan: PlannedWorkspace, wish: Ordering, luck: Chance): readonly Given[] {
  const { wrong } = wish
  const ids = wish.people === 'ones' ? onesOf(plan, luck) : idsIn(plan).map(({ id }) => givenId(id, wish))
  const all = ids.flatMap((id) => {
    const found = approvablesOf(plan, id)
    return found === 'incomplete' ? [] : found
  })
  return all.flatMap((one): Given | [] => {
    if (one.kind !== 'words') return []
    const meant = wrong === undefined ? one : misread(one, wrong, luck)
    const { workspace } = plan
    const { people } = meant
    const seen = { workspace, changes: meant.changes.flatMap(approvedOf), ...(people === undefined ? {} : { people }) }
    return { workspace, words: wordsOf(meant), seen: { ...seen, untilMs: 0 } }
  })
}

type DocumentReason = PlannedWorkspace['holds'][number]['reason']

/** The ID of one change; behind it stand its own people if it waits for them. */
function ownId(change: DocumentChange, reason: DocumentReason): string {
  if (reason.kind !== 'approval') return change.id
  if (reason.why === 'people') return reason.pass
  if (reason.why !== 'limit' || reason.name !== 'people' || change.action === 'settings') return change.id
  const { effect } = change
  if (effect === undefined || !('raise' in effect)) return `${change.id}:any`
  const { most } = effect[reason.setting.split('.').at(-1) as 'raise' | 'gainProtected' | 'lose']
  return `${change.id}:${most ?? 'any'}`
}

/** The IDs of some changes that wait for their people, alone or with others. */
const onesOf = ({ holds }: PlannedWorkspace, luck: Chance): readonly string[] =>
  holds.flatMap(({ change, reason }) => (change !== undefined && reason.kind === 'approval' && luck.is(0.5) ? [ownId(change, reason)] : []))

/** The ID as a person gives it who approves one person fewer, or any number. */
function givenId(id: string, { people }: Ordering): string {
  const [name, number] = id.split(':')
  if (number === undefined || people === undefined || people === 'ones') return id
  return people === 'any' ? `${name}:any` : `${name}:${Math.max(0, Number(number) - 1)}`
}

function peopleIn(id: string): Allowance['people'] {
  const [, number] = id.split(':')
  return number === undefined || number === 'any' ? number : Number(number)
}

type Words = Extract<Approvable, { kind: 'words' }>

/** The person approves something else by mistake: another role before or after, another group of the name, or only a part. */
function misread(one: Words, wrong: NonNullable<Ordering['wrong']>, luck: Chance): Words {
  if (wrong === 'part') return { ...one, changes: one.changes.length < 2 ? one.changes : one.changes.slice(1) }
  const changes = one.changes.map((change): DocumentChange => {
    if (change.action === 'settings' || !luck.is(0.7)) return change
    if (wrong === 'id') return 'groupId' in change ? { ...change, groupId: 'another' } : change
    if (wrong === 'to') return 'role' in change ? { ...change, role: 'owner' as never } : change
    if (wrong === 'at')
      return { ...change, target: { kind: 'workspace' }, key: change.key.replace(/\/project\/[^/]+|\/allProjects/, '/workspace') as never }
    return 'before' in change ? { ...change, before: (change.before === 'member' ? 'guest' : 'member') as never } : change
  })
  return { ...one, changes }
}
