import type { Time } from './time.ts'

/** Waits in virtual time. @throws the reason of `signal` as soon as it fires */
export function sleep(time: Time, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error)
    const leave = () => {
      cancel()
      reject(signal.reason as Error)
    }
    const cancel = time.at(time.now() + Math.max(0, ms), () => {
      signal.removeEventListener('abort', leave)
      resolve()
    })
    signal.addEventListener('abort', leave, { once: true })
  })
}
