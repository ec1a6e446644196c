import { expect, test } from 'vitest'
import { doublesOf, openPlace, stateOf, writesTo } from './program.ts'
import { openClock } from './settableClock.ts'

const minute = 60_000
const spans = [
  ['back by a minute', -minute],
  ['back by an hour', -60 * minute],
  ['back by a year', -365 * 24 * 60 * minute],
  ['forward by a minute', minute],
  ['forward by an hour', 60 * minute],
  ['forward by a year', 365 * 24 * 60 * minute],
] as const

const declaration = `version: 1
workspaces:
  acme:
    projectRoles:
      - { group: devs, project: ENG, role: member }
      - { group: ops, project: OPS, role: guest, expires: 2099-12-31 }
`

test.each(spans)('cycles go on after the clock was set %s', async (_span, byMs) => {
  await using place = await openPlace({ settings: { schedule: { cron: '*/2 * * * * *' } }, declaration, groups: ['devs', 'ops'] })
  const clock = await openClock(place)
  const daemon = place.start(['run'], { env: clock.env })
  const cycles = () => daemon.log().filter(({ event }) => event === 'summary').length
  await daemon.until(() => cycles() >= 2)
  await clock.set(byMs)
  await place.write('groups.yaml', declaration.replace('role: guest', 'role: member'))
  const before = cycles()
  await daemon.until(() => cycles() >= before + 3)
  const finding = await daemon.until(() => daemon.log().find(({ code }) => code === 'clock-stepped'))
  expect(finding.msg).toContain(byMs > 0 ? 'it was set forward by' : 'it was set back by')
  await daemon.until(() => stateOf(place.sandbox).join() === 'ENG devs → member,OPS ops → member')
  const outcomes = daemon.log().flatMap(({ event, outcome }) => (event === 'summary' ? [String(outcome)] : []))
  expect(outcomes.filter((outcome) => outcome !== 'success' && outcome !== 'incomplete')).toEqual([])
})

test.each(spans)('a wait for the limit and a quarantine end in their time though the clock was set %s', async (_span, byMs) => {
  const groups = Array.from({ length: 9 }, (_, n) => `team-${n}`)
  const rules = groups.map((group) => `      - { group: ${group}, project: ENG, role: member }`).join('\n')
  await using place = await openPlace({
    sandbox: { limit: { requests: 6, windowMs: 4_000 }, faults: ['POST project-mappings: reset after commit, once'] },
    settings: {
      service: { limit: { requests: 6, window: '4s' }, unknownOutcomeWait: '5s' },
      schedule: { cron: '*/3 * * * * *' },
      journal: 'none',
    },
    declaration: `version: 1\nworkspaces:\n  acme:\n    projectRoles:\n${rules}\n`,
    groups,
  })
  const clock = await openClock(place)
  const daemon = place.start(['run', '--no-wait'], { env: clock.env })
  await daemon.until(() => writesTo(place.sandbox).length >= 2)
  await clock.set(byMs)
  await daemon.until(() => stateOf(place.sandbox).length === groups.length)
  await daemon.until(() => daemon.log().some(({ event, msg }) => event === 'summary' && msg.includes('in sync')))
  expect(doublesOf(place.sandbox)).toEqual([])
})
