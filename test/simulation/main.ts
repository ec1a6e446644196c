import { parseArgs } from 'node:util'
import { specOf } from './generate.ts'
import { simulate } from './simulate.ts'
import { runWorld } from './world.ts'

/** `npm run simulate -- --worlds 1000` looks for a world that breaks a promise; `--seed N` replays one, event by event. */
const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    from: { type: 'string', default: '0' },
    worlds: { type: 'string' },
    minutes: { type: 'string' },
    plant: { type: 'string' },
    workers: { type: 'string' },
  },
})
const print = (text: string) => void process.stdout.write(`${text}\n`)

if (values.seed !== undefined) {
  const spec = specOf(Number(values.seed))
  const outcome = await runWorld(spec, () => new Promise((resolve) => setImmediate(resolve)), true)
  print(outcome.trace.join('\n'))
  for (const { promise, atMs, what } of outcome.violations) print(`VIOLATION at ${(atMs - spec.beginMs) / 1000} s of ${promise}: ${what}`)
  process.exitCode = outcome.violations.length > 0 ? 1 : 0
} else {
  const summary = await simulate({
    from: Number(values.from),
    worldsMax: Number(values.worlds ?? (values.minutes === undefined ? 1_000 : Number.MAX_SAFE_INTEGER)),
    ...(values.minutes === undefined ? {} : { minutesMax: Number(values.minutes) }),
    ...(values.plant === undefined ? {} : { plant: values.plant }),
    ...(values.workers === undefined ? {} : { workers: Number(values.workers) }),
  })
  const { worlds, requests, cycles, crashes, throttled, cpuMs, faults, broken, brokenWorlds } = summary
  print(JSON.stringify({ worlds, requests, cycles, crashes, throttled, cpuMsPerWorld: cpuMs / worlds, faults }, undefined, 1))
  for (const { seed, violation } of broken) print(`seed ${seed}: ${violation.promise}: ${violation.what}`)
  print(`${worlds} worlds, ${brokenWorlds} broken`)
  process.exitCode = brokenWorlds > 0 ? 1 : 0
}
