import type { WaivedChange } from '../declared.ts'
import type { Happened } from '../trace.ts'
import { type Allowance, describes } from './approvals.ts'
import { type Write, writeText } from './write.ts'

/** A change that the document of a plan has shown to a person. */
export type Shown = WaivedChange & { readonly workspace: string }

type Asked = Extract<Happened, { readonly is: 'asks' }>
type Order = Asked & {
  /** The process that executes it. */
  takenBy?: number
  /** Its asker knows that it was not executed, and never will be. */
  isOff?: true
}
type Process = {
  writes: { readonly write: Write; readonly ids: readonly string[]; readonly needs: boolean }[]
  /** The cycle that runs now is that of an order. */
  isOrdered: boolean
}

/** A daemon takes an order after at most three looks, one a second, and each order before it may need some steps of the disk. */
const takenMs = 15_000
/** An order that its asker has not touched for this time is not executed: 10 s, and the pause between two looks. */
const silentMs = 12_500

/**
 * Checks what daemons do with the orders that people hand over. An asker learns whether its order was executed; so an order that it saw refused, or gave
 * up, is never executed, and none is executed twice. The cycle of an order writes what its asker was shown and named, and nothing else.
 *
 * @param isDiskWell whether the disk of this world always accepts data
 */
export function openOrdersAudit(isDiskWell: boolean) {
  const orders = new Map<string, Order>()
  const processes = new Map<number, Process>()
  const gone = new Map<number, number>()
  const alive = new Set<number>()

  function taken({ atMs, process, order: name }: Extract<Happened, { is: 'took' }>): string | undefined {
    const order = orders.get(name)
    if (order === undefined) return `process ${process} took an order that nobody gave`
    const { takenBy, isOff, asker, run } = order
    order.takenBy = process
    const goneMs = gone.get(asker)
    if (takenBy !== undefined) return `order ${name} was taken twice, by process ${takenBy} and by process ${process}`
    if (isOff === true) return `process ${process} executes order ${name}, which its asker saw refused or gave up`
    if (run !== process)
      return `process ${process} executes order ${name}, which is for ${run === undefined ? 'no process' : `process ${run}`}`
    if (goneMs !== undefined && atMs - goneMs > silentMs)
      return `process ${process} executes order ${name} ${atMs - goneMs} ms after its asker has gone`
    return isDiskWell && atMs - order.atMs > takenMs ? `order ${name} was taken only after ${atMs - order.atMs} ms` : undefined
  }

  function heard({ atMs, order: name, how, wasTaken }: Extract<Happened, { is: 'heard' }>): string | undefined {
    const order = orders.get(name) as Order
    const isOff = how === 'withdrawn' || (how === 'gone' && wasTaken === false)
    if (how === 'answered' && order.takenBy === undefined) return `order ${name} was answered, and nobody has taken it`
    if (!isOff) return undefined
    if (order.takenBy !== undefined) return `process ${order.takenBy} has taken order ${name}, and its asker hears that it is not executed`
    order.isOff = true
    const isIgnored = order.run !== undefined && alive.has(order.run) && isDiskWell && atMs - order.atMs > takenMs
    return isIgnored ? `process ${order.run} did not take order ${name} for ${atMs - order.atMs} ms` : undefined
  }

  /** The cycle that has just ended was that of this order. */
  function answered({ process, order: name, ofCycle }: Extract<Happened, { is: 'answers' }>): string | undefined {
    const { writes } = processes.get(process) ?? { writes: [] }
    const order = orders.get(name)
    if (!ofCycle || order === undefined) return undefined
    const { kind, only, shown, allowed } = order
    const isOf = (one: Allowance, { write, ids }: (typeof writes)[number]) => describes(one, write, ids)
    for (const one of writes) {
      const text = `the cycle of order ${name} wrote ${writeText(one.write)}`
      const isAllowed = allowed.some((allowance) => isOf(allowance, one))
      if (kind === 'plan') return `${text}, and its asker only asked for a plan`
      if (only !== undefined && !only.includes(one.write.workspace)) return `${text}, in a workspace that the order does not name`
      const isShown = shown?.some((change) => describes({ workspace: change.workspace, changes: [change] }, one.write, one.ids))
      if (isShown === false && !isAllowed) return `${text}, which its asker was not shown`
      if (one.needs && !isAllowed) return `${text}, which passed the guards by another order`
    }
    return undefined
  }

  return {
    /** Returns a sentence if a promise is broken. */
    hear(event: Happened): string | undefined {
      switch (event.is) {
        case 'start':
          alive.add(event.process)
          return undefined
        case 'stop':
        case 'end':
        case 'kill':
        case 'power':
        case 'broke':
          alive.delete(event.process)
          return undefined
        case 'asks':
          orders.set(event.order, { ...event })
          return undefined
        case 'askerGone':
          gone.set(event.asker, event.atMs)
          return undefined
        case 'took':
          return taken(event)
        case 'heard':
          return heard(event)
        case 'cycle':
          processes.set(event.process, { writes: [], isOrdered: event.isOrdered === true })
          return undefined
        case 'answers':
          return answered(event)
        default:
          return undefined
      }
    },
    /** What the orders that a process executes let pass of this write. It is not known yet to which of them the cycle belongs. */
    of: (write: Pick<Write, 'workspace' | 'does' | 'before' | 'after' | 'process'>, ids: readonly string[]): readonly Allowance[] =>
      processes.get(write.process)?.isOrdered === true
        ? [...orders.values()].flatMap(({ takenBy, allowed, kind }) =>
            takenBy === write.process && kind === 'cycle' ? allowed.filter((one) => describes(one, write, ids)) : [],
          )
        : [],
    /** @param needs whether it passes only by an order */
    sent: (write: Write, ids: readonly string[], needs: boolean): void =>
      void processes.get(write.process)?.writes.push({ write, ids, needs }),
    /** The approvals that a process has from now on. */
    approvedBy: ({ order: name, untilMs }: Extract<Happened, { is: 'took' }>): readonly Allowance[] =>
      untilMs === undefined ? [] : (orders.get(name)?.allowed ?? []).map((one) => ({ ...one, untilMs })),
    /** The names of the approvals that let nothing pass any more: those that were taken back, and those of an order that was refused. */
    endedBy({ order: name, exit, ofCycle }: Extract<Happened, { is: 'answers' }>): readonly string[] {
      const { ends, kind, allowed = [] } = orders.get(name) ?? {}
      if (kind === 'withdraw') return exit === 0 && ends !== undefined ? [ends] : []
      return kind === 'approve' && !ofCycle && exit === 3 ? allowed.flatMap((one) => one.name ?? []) : []
    },
  }
}
