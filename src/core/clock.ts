export type Clock = {
  /** Epoch ms. */
  now(): number
  /** Settles after `ms`, or rejects when `signal` fires. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}
