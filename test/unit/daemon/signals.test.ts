import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { listenToSignals } from '../../../src/daemon/signals.ts'

function listening() {
  const source = new EventEmitter()
  const heard: string[] = []
  const end = listenToSignals(source, {
    stop: (signal) => heard.push(`stop ${signal}`),
    stopNow: (signal) => heard.push(`now ${signal}`),
    reload: () => heard.push('reload'),
  })
  return { source, heard, end }
}

test('the first request to stop is patient, the second is not', () => {
  const { source, heard } = listening()
  source.emit('SIGTERM', 'SIGTERM')
  source.emit('SIGINT', 'SIGINT')
  expect(heard).toEqual(['stop SIGTERM', 'now SIGINT'])
})

test('SIGHUP reloads, but not on the way out', () => {
  const { source, heard } = listening()
  source.emit('SIGHUP', 'SIGHUP')
  source.emit('SIGINT', 'SIGINT')
  source.emit('SIGHUP', 'SIGHUP')
  expect(heard).toEqual(['reload', 'stop SIGINT'])
})

test('nothing stays behind', () => {
  const { source, end } = listening()
  end()
  expect(source.eventNames()).toEqual([])
})
