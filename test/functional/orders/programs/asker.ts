import { appendFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { submitOrder } from '../../../../src/orders/hand.ts'
import { hurried, upTo } from './hurried.ts'

/** Hands orders over, and adds to a file what it saw of each: `["id","answered"]`. It gives up a third of them at a random moment. */
const [folder = '', holderFile = '', seenFile = '', count = ''] = process.argv.slice(2)
const holder = () => readFile(holderFile, 'utf8').then((text) => (text === '' ? undefined : text))

async function ask(id: string): Promise<void> {
  const run = await holder()
  if (run === undefined) return
  const stop = new AbortController()
  const timer = Math.random() < 0.33 ? setTimeout(() => stop.abort(), upTo(400)) : undefined
  const ended = await submitOrder(id, { folder, run, clock: hurried, holder }, stop.signal)
  clearTimeout(timer)
  const kind = ended.kind === 'gone' ? (ended.wasTaken ? 'goneAfterTaken' : 'goneUntaken') : ended.kind
  const isOwn = ended.kind !== 'answered' || ended.answer === `did ${id}`
  appendFileSync(seenFile, `${JSON.stringify([id, isOwn ? kind : 'answerOfAnother'])}\n`)
}

const never = new AbortController().signal
await Promise.all(
  Array.from({ length: Number(count) }, async (_, index) => {
    for (let turn = 0; ; turn++) {
      await ask(`${process.pid}-${performance.timeOrigin}-${index}-${turn}`)
      await hurried.sleep(upTo(500), never)
    }
  }),
)
