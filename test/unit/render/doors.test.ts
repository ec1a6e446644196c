import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { changedGroupFindings, changedGroupText } from '../../../src/core/findings/changedGroup.ts'
import { changedProjectText } from '../../../src/core/findings/missingProjects.ts'
import type { GroupName, ProjectIdentifier } from '../../../src/core/mapping.ts'
import { openReportLog } from '../../../src/log/report.ts'
import { planJson } from '../../../src/render/json.ts'
import { planMarkdown } from '../../../src/render/markdown.ts'
import { nextText } from '../../../src/render/nextStep.ts'
import { plansText } from '../../../src/render/plansText.ts'
import { statusText } from '../../../src/render/statusText.ts'
import type { View } from '../../../src/render/view.ts'
import { runs } from '../../long.ts'
import { forPeople, people } from '../bounds.ts'
import { anyView } from './anyView.ts'
import { last, statusOf } from './lastParts.ts'
import { create, held, inSet, view } from './sample.ts'

const filesOnly = (of: View): View => ({ ...of, about: { ...of.about, doors: 'files-only' } })
const shut = /--allow|--now/
const options = { colour: false, width: 1_000 }

const protectedRole = { kind: 'approval', why: 'protectedRole' } as const
const leads = held(create('ENG', 'leads', 'admin', { size: people(3) }), protectedRole)
const crowd = forPeople({ over: 'raise', people: 160, limit: 100, pass: 'aa'.repeat(16) + ':160', setting: 'guards.people.raise' })
const many = held(create('OPS', 'all-staff', 'guest', { size: people(160) }), crowd)
const set = (n: number) =>
  inSet(
    Array.from({ length: n }, (_, index) => create('ENG', `g${index}`, 'guest')),
    { name: 'creates', count: n, limit: 2, setting: 'guards.creates.count', sentence: `${n} creates; guards.creates.count allows 2` },
  )
const yamlsIn = (markdown: string) => [...markdown.matchAll(/```yaml\n(.*?)\n```/gs)].map(([, yaml = '']) => parse(yaml))

describe('where only files approve', () => {
  test('no rendering of any plan offers another door', () => {
    fc.assert(
      fc.property(anyView, (any) => {
        const of = filesOnly(any)
        for (const text of [
          plansText([of], options),
          plansText([of], { ...options, all: true }),
          planMarkdown([of]),
          planJson([of]),
          statusText(statusOf(last([[of, 'waiting']])), { ...options, all: true }),
        ])
          expect(text).not.toMatch(shut)
      }),
      { numRuns: runs(150) },
    )
  })

  test('a row names the command that prints the words, and status does, too', () => {
    const of = filesOnly(view({ holds: [leads, many, ...set(3)] }))
    const [text, status] = [plansText([of], options), statusText(statusOf(last([[of, 'waiting']])), options)]
    for (const out of [text, status]) {
      expect(out).toContain(`plane-group-sync approve ${leads.change?.id} --reason … prints the words for a file`)
      expect(out).toContain(`plane-group-sync approve ${crowd.pass} --reason … prints the words for a file`)
    }
    expect(text).toMatch(/to approve exactly these 3 changes: plane-group-sync approve [0-9a-f]{32} --reason … prints the words for a file/)
  })

  test('a comment has the words themselves, with the number of people; of more than ten changes it has the command', () => {
    const few = planMarkdown([filesOnly(view({ holds: [leads, many] }))])
    expect(yamlsIn(few)).toMatchObject([
      {
        version: 1,
        workspaces: {
          acme: {
            waivers: [
              { project: 'ENG', group: 'leads', from: 'none', to: 'admin', reason: '…' },
              { project: 'OPS', group: 'all-staff', from: 'none', to: 'guest', people: 160, reason: '…' },
            ],
          },
        },
      },
    ])
    expect(yamlsIn(planMarkdown([filesOnly(view({ holds: set(10) }))]))[0]?.workspaces.acme.waivers[0].changes[0].group).toHaveLength(10)
    const eleven = planMarkdown([filesOnly(view({ changes: [create('ENG', 'devs', 'member')], holds: set(11) }))])
    expect(yamlsIn(eleven)).toEqual([])
    expect(eleven).toMatch(/```sh\nplane-group-sync approve --workspace acme [0-9a-f]{32} --reason …\n```/)
    expect(eleven).not.toContain('Such a command also writes')
  })

  test('after an apply the next step is a file, and the log says the same', () => {
    const of = filesOnly(view({ holds: [leads, ...set(3)] }))
    expect(nextText({ ...of, applied: { results: [], holds: [], left: [] } }, true)).toContain('write its words in a file')
    const lines: string[] = []
    const write = (_: object, text: string) => void lines.push(text)
    const logReport = openReportLog({
      info: write,
      warn: write,
      error: write,
      debug: write,
      change: write,
      isLevelEnabled: () => true,
    } as never)
    const { about, judged, declaration } = of
    const workspace = { kind: 'judged', workspace: about.workspace, about, judged }
    logReport({ startedMs: 0, tookMs: 1, declaration, directories: [], workspaces: [workspace] } as never)
    expect(lines.join('\n')).toContain('prints the words for a file')
    expect(lines.join('\n')).not.toMatch(shut)
  })

  test('a project or a group with another id is accepted only by an edit', () => {
    const changed = { kind: 'projectChanged', project: 'ENG' as ProjectIdentifier, replaced: true, pass: 'ab'.repeat(16) } as const
    const of = filesOnly(view({ holds: [held(create('ENG', 'devs', 'guest'), changed)] }))
    for (const text of [plansText([of], options), statusText(statusOf(last([[of, 'incomplete']])), options)]) {
      expect(text).toContain('edit the rule')
      expect(text).not.toMatch(shut)
    }
    expect(changedProjectText(changed, 'files-only').cure).toMatch(/; if the new one is meant: edit the rule$/)
    const reason = { kind: 'groupChanged', group: 'devs' as GroupName, directory: 'corp', pass: 'p' } as const
    expect(changedGroupText(reason, 'files-only').cure).toBe('if the group of today is meant, edit the rule')
    const because = { at: { file: 'a.yaml', line: 1, column: 1 } } as never
    const groups = ['a', 'b', 'c', 'd'].map((group) => ({ because, reason: { ...reason, group: group as GroupName } }))
    const [found] = changedGroupFindings([{ directory: 'corp', groups, pass: 'p' }], 'files-only')
    expect(found?.cure).toBe('to accept the groups of today, edit their rules')
  })
})
