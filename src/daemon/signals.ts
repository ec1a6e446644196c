/** What a process sends its signals through: `process`, or any event emitter. */
type SignalSource = {
  on(signal: SignalName, listener: (signal: SignalName) => void): unknown
  off(signal: SignalName, listener: (signal: SignalName) => void): unknown
}
export type SignalName = 'SIGTERM' | 'SIGINT' | 'SIGHUP'

export type SignalMeanings = {
  /** Begin nothing new, and end. */
  readonly stop: (signal: SignalName) => void
  /** Asked to stop a second time: whoever asks does not want to wait. */
  readonly stopNow: (signal: SignalName) => void
  /** Read settings and declaration again, and reconcile now. Also what a closed terminal sends. */
  readonly reload: () => void
}

/** Listens until the returned function is called. */
export function listenToSignals(source: SignalSource, { stop, stopNow, reload }: SignalMeanings): () => void {
  let stopping = false
  const onStop = (signal: SignalName) => {
    const meaning = stopping ? stopNow : stop
    stopping = true
    meaning(signal)
  }
  const onHangUp = () => (stopping ? undefined : reload())
  source.on('SIGTERM', onStop)
  source.on('SIGINT', onStop)
  source.on('SIGHUP', onHangUp)
  return () => {
    source.off('SIGTERM', onStop)
    source.off('SIGINT', onStop)
    source.off('SIGHUP', onHangUp)
  }
}
