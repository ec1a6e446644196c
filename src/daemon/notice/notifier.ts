import type { RealEnvironment } from '../../compose/environment.ts'
import { deliver, whyUndeliverable } from '../../compose/receiver.ts'
import { errorText } from '../../core/errorText.ts'
import type { Entry } from '../../core/memory/entry.ts'
import type { Memory } from '../../core/memory/memory.ts'
import { hears, toTell } from '../../core/notice/tell.ts'
import { visible } from '../../core/safeName.ts'
import type { CycleReport } from '../../cycle/cycleReport.ts'
import { noticeMessage } from '../../render/noticeMessage.ts'
import type { LoadedSettings } from '../../settings/load.ts'
import { receiverName } from '../../settings/notify.ts'
import { serviceAddress } from '../../settings/service.ts'
import type { Metrics } from '../metrics.ts'
import { observedFacts } from './observed.ts'
import { openOutbox } from './outbox.ts'

/** Tells the receivers of the settings what is new, has changed or is over. Nothing here throws. */
export type Notifier = {
  /** Logs what keeps messages from being sent, once for the same settings. */
  check(loaded: LoadedSettings): Promise<void>
  /** To be called after a cycle, with its report. It waits for the journal only: messages are sent later. */
  tell(report: CycleReport, loaded: LoadedSettings): Promise<void>
  /** Drops what is not sent within a short time. */
  close(): Promise<void>
}

type NotifierParts = {
  readonly world: RealEnvironment
  readonly run: {
    readonly run: string
    readonly memory: () => Memory
    readonly append: (entry: Entry) => Promise<void>
  }
  readonly metrics: Pick<Metrics, 'observeMessage'>
  /** Whether another process has the journal: that one tells. */
  readonly isLost: (error: unknown) => boolean
}

export function openNotifier({ world, run, metrics, isLost }: NotifierParts): Notifier {
  const { clock, log, scrub } = world
  const outbox = openOutbox({ clock, log, onResult: metrics.observeMessage })
  let checked: string | undefined

  async function check({ settings, hash }: LoadedSettings): Promise<void> {
    if (settings.notify.length === 0 || checked === hash) return
    checked = hash
    if (settings.journal === 'none')
      log.info({ event: 'notify' }, 'without a journal it is not known what was told: each start tells once what stands then')
    for (const [index, receiver] of settings.notify.entries()) {
      const name = receiverName(receiver, index)
      const why = await whyUndeliverable(receiver, world).catch((error: unknown) => errorText(error))
      if (why !== undefined) log.warn({ event: 'notify', receiver: name }, visible(`${name} hears nothing: ${why}`))
    }
  }

  async function tell(report: CycleReport, loaded: LoadedSettings): Promise<void> {
    const { notify } = loaded.settings
    const { told } = run.memory()
    if (notify.length === 0 && told.length === 0) return
    await check(loaded)
    const dateMs = clock.wall()
    const { notices, endingOf } = observedFacts(report, { settings: loaded.settings, memory: run.memory(), dateMs })
    const { news, journal } = toTell(told, notices, endingOf, notify)
    if (journal === undefined) return
    // If the disk refuses the entry, the receivers are told all the same: the memory has it.
    await run.append({ atMs: clock.now(), run: run.run, kind: 'told', ...journal }).catch((error: unknown) => {
      if (isLost(error)) throw error
    })
    const host = serviceAddress(loaded.settings.service.baseUrl)
    for (const [index, receiver] of notify.entries()) {
      const heard = news.filter(({ notice }) => hears(receiver, notice))
      if (heard.length === 0) continue
      const body = noticeMessage(heard, receiver.format, { host, link: receiver.link, atMs: dateMs, scrub })
      outbox.put({ receiver: receiverName(receiver, index), send: (signal) => deliver(receiver, body, loaded, world, signal) })
    }
  }

  return {
    check,
    tell: (report, loaded) =>
      tell(report, loaded).catch((error: unknown) =>
        log.warn({ event: 'notify', err: error }, visible(`nothing is told of this cycle: ${errorText(error)}`)),
      ),
    close: outbox.close,
  }
}
