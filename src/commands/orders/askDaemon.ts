import { realClock } from '../../compose/realClock.ts'
import type { Service } from '../../core/memory/entry.ts'
import { OperationalError } from '../../core/operationalError.ts'
import { noteCharactersMax, visible } from '../../core/safeName.ts'
import { note } from '../../declaration/nameFields.ts'
import { type Order, type OrderAnswer, type OrderShow, orderAnswerSchema } from '../../documents/daemonOrder.ts'
import type { Holder } from '../../journal/holder.ts'
import { holderOf } from '../../journal/lock.ts'
import { submitOrder } from '../../orders/hand.ts'
import { capital } from '../../render/nextStep.ts'
import type { LoadedSettings } from '../../settings/load.ts'
import { otherHost, serviceOf } from '../../settings/service.ts'
import { type Call, type ExitCode, exitCodes, type Terminal, text, UsageError } from '../command.ts'
import type { Format } from '../description.ts'
import { saysLines } from '../progress.ts'
import { hasColours } from '../terminal.ts'
import { askRunning, followCycle } from './askRunning.ts'

/** The daemon that has the journal of these settings open. */
export type RunningDaemon = {
  /** Hands an order over, and waits for its answer. It says on standard error what it waits for. */
  ask(order: UnboundOrder, signal: AbortSignal): Promise<OrderAnswer>
}

/** An order without the service, which is that of the settings. */
export type UnboundOrder = Order extends infer One ? (One extends Order ? Omit<One, 'service'> : never) : never

/** The process that has the journal open; undefined if there is none, or if it works with another host. */
export async function ownHolder(folder: string, service: Service, { processes }: Pick<Terminal, 'processes'>): Promise<Holder | undefined> {
  const holder = await holderOf(folder, processes)
  return otherHost(holder?.service, service) === undefined ? holder : undefined
}

/** Whether a daemon of the service of these settings has their journal open. */
export async function isDaemonHere({ settings, path }: LoadedSettings, terminal: Pick<Terminal, 'processes'>): Promise<boolean> {
  const { journal } = settings
  const holder = journal === 'none' ? undefined : await ownHolder(path(journal.folder), serviceOf(settings), terminal)
  return holder?.as === 'daemon'
}

/** A daemon takes an order within seconds, also while a cycle runs. One of an older version takes none. */
const untakenMaxMs = 60_000

/** @returns undefined if no daemon has the journal open @throws {OperationalError} if it works with another host than these settings name */
export async function runningDaemon(
  loaded: LoadedSettings,
  values: Call['values'],
  terminal: Terminal,
): Promise<RunningDaemon | undefined> {
  const { journal } = loaded.settings
  const service = serviceOf(loaded.settings)
  if (journal === 'none') return undefined
  const folder = loaded.path(journal.folder)
  const holder = async (): Promise<Holder | undefined> => holderOf(folder, terminal.processes)
  const daemon = await holder()
  if (daemon?.as !== 'daemon') return undefined
  const about = otherHost(daemon.service, service)
  if (about !== undefined)
    throw new OperationalError(
      'DaemonElsewhere',
      `${folder}: the daemon that has this journal open (process ${daemon.pid}) works with ${about}`,
      {
        cure: 'name the settings of the daemon with --config, or give these settings a journal.folder of their own',
      },
    )
  const say = (text: string) => (values.quiet === true ? undefined : terminal.err(`${text}\n`))
  return {
    async ask(order, signal) {
      const untaken = new AbortController()
      const timer = setTimeout(() => untaken.abort(), untakenMaxMs)
      await using following = new AsyncDisposableStack()
      const follow = (nonce: string): void => {
        const asked = { folder, token: daemon.token, service }
        following.use(
          followCycle({
            line: values.quiet === true ? undefined : terminal.liveLine,
            say: saysLines(values, terminal) ? say : undefined,
            clock: realClock,
            ask: (until) => askRunning(asked, nonce, AbortSignal.any([until, signal])),
          }),
        )
      }
      say(`A daemon has the journal open (process ${daemon.pid} on ${visible(daemon.host)}). It carries out this order.`)
      const handed = await submitOrder(
        { ...order, service } satisfies Order,
        {
          folder,
          run: daemon.token,
          clock: realClock,
          holder: async () => (await holder())?.token,
          onTaken: (nonce) => {
            clearTimeout(timer)
            say(`The daemon has taken the order.${needsCycle(order) ? ' If a cycle runs now, the order is carried out after it.' : ''}`)
            if (needsCycle(order)) follow(nonce)
          },
        },
        AbortSignal.any([signal, untaken.signal]),
      ).finally(() => clearTimeout(timer))
      switch (handed.kind) {
        case 'answered':
          return answerFrom(handed.answer)
        case 'withdrawn':
          if (untaken.signal.aborted)
            return failed(
              'The daemon did not take the order within a minute, so it was withdrawn. Nothing was done. The log of the daemon says more, if it is of this version.',
            )
          return failed('The order was withdrawn before the daemon took it. Nothing was done.')
        case 'left':
          return failed('The daemon has taken the order and carries it out. "plane-group-sync status" shows what it did.')
        case 'gone':
          return failed(goneText(handed.why, handed.wasTaken))
        default:
          return handed satisfies never
      }
    },
  }
}

/** The other orders are answered at once. */
const needsCycle = ({ kind }: UnboundOrder): boolean => kind === 'plan' || kind === 'cycle' || kind === 'approve' || kind === 'doctor'

/** Prints what the daemon answered, as if this process had done the work. */
export function printAnswer({ out, err, exit }: OrderAnswer, terminal: Pick<Terminal, 'out' | 'err'>): ExitCode {
  terminal.out(out)
  terminal.err(err)
  return exit as ExitCode
}

/** @param why a sentence without its period */
export const goneText = (why: string, wasTaken: boolean): string =>
  `${capital(why)}. ${wasTaken ? 'The order may be carried out in part. "plane-group-sync status" shows what was done.' : 'Nothing was done.'}`

function answerFrom(answer: unknown): OrderAnswer {
  const read = orderAnswerSchema.safeParse(answer)
  return read.success
    ? read.data
    : failed('The daemon gave an answer that this version does not understand. Use the version of the daemon.')
}

const failed = (why: string): OrderAnswer => ({ exit: exitCodes.failed, out: '', err: `${visible(why)}\n` })

/** How the answer is shown. */
export const showOf = (values: Call['values'], format: Format, terminal: Terminal): OrderShow => ({
  format,
  all: values.all === true,
  columns: Math.min(1_000, Math.max(20, terminal.columns)),
  colour: hasColours(terminal.env, terminal.isTerminal.out, values),
  terminal: terminal.isTerminal.out,
})

/**
 * The name that the person who gives an order goes by: `--by`, or that of the environment. Nothing proves it.
 *
 * @throws {UsageError}
 */
export function claimedName({ by }: Call['values'], { env }: Pick<Terminal, 'env'>): string {
  if (by === undefined) return env.USER || 'operator'
  const name = text(by)?.trim() ?? ''
  if (name.length > noteCharactersMax || !note.safeParse(name).success)
    throw new UsageError(`--by takes the name of a person: at most ${noteCharactersMax} characters that people can read`)
  return name
}
