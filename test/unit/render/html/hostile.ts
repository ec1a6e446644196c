import {
  type GroupName,
  keyOf,
  type MappingId,
  type ProjectIdentifier,
  type Role,
  type WorkspaceName,
} from '../../../../src/core/mapping.ts'
import type { Edit } from '../../../../src/core/memory/seen.ts'
import type { LastDocument } from '../../../../src/documents/last.ts'
import type { ReportDocument } from '../../../../src/documents/report.ts'
import { people } from '../../bounds.ts'
import { last } from '../lastParts.ts'
import { create, held, nowMs, view } from '../sample.ts'

const texts = [
  '<script>globalThis.attacked=1</script>',
  '"><img src=x onerror="globalThis.attacked=1">',
  "' onmouseover='globalThis.attacked=1",
  '</style></title><b>bold</b>',
  '&lt;b&gt; &amp; ${name}',
  'javascript:globalThis.attacked=1',
  'x'.repeat(500),
  'ж'.repeat(250),
]

/** Names from outside that attack a page, and how the page shows them. */
export const hostileNames: readonly { readonly name: string; readonly shown: string }[] = [
  ...texts.map((name) => ({ name, shown: name })),
  { name: 'admin\u202Egnp.exe', shown: 'admin\\u{202e}gnp.exe' },
  { name: 'a\u2066b\u200bc', shown: 'a\\u{2066}b\\u{200b}c' },
]

const report: ReportDocument = {
  format: 'plane-group-sync/report',
  version: 1,
  at: new Date(nowMs).toISOString(),
  from: 'readings',
  service: { host: 'plane.example.com', slugs: {} },
  declaration: { hash: '4f2c91e0'.repeat(8), files: 3, revision: { kind: 'commit', id: '<i>9d41</i>' } },
  workspaces: hostileNames.map(({ name }) => ({
    workspace: name,
    lists: [{ list: 'projectRoles', status: 'complete', why: name }],
    rows: hostileNames.map(({ name: group }, n) => ({
      id: `${n}`,
      group,
      label: name,
      target: { kind: 'project', project: name.slice(0, 12) as ProjectIdentifier },
      role: n === 0 ? name : 'member',
      size: people(n),
      standing: 'declared',
      because: {
        at: { file: name, line: 1, column: 1 },
        owner: name.slice(0, 400),
        reason: name.slice(0, 400),
        pattern: { syntax: 'glob', source: name },
      },
      since: { by: 'program', at: new Date(nowMs).toISOString() },
      approved: [{ name, account: name, source: name, at: new Date(nowMs).toISOString(), reason: name }],
    })),
  })),
}

const edits: readonly Edit[] = hostileNames.map(({ name }) => ({
  atMs: nowMs,
  afterMs: nowMs - 1000,
  mapping: 'm1' as MappingId,
  key: keyOf(name as WorkspaceName, { kind: 'project', project: name.slice(0, 12) as ProjectIdentifier }, name as GroupName),
  before: name as Role,
  after: null,
  by: 'others',
}))

const waiting = view({
  changes: [],
  holds: hostileNames.map(({ name }, n) =>
    held(
      create(`P${n}`, name as GroupName, 'admin', {
        size: people(1),
        because: { at: { file: name, line: 4, column: 1 }, owner: name, reason: name },
      }),
      {
        kind: 'approval',
        why: 'protectedRole',
      },
    ),
  ),
})

/** A page in which every name attacks. The document is read back from its JSON, as that of a daemon. */
export const hostile = { report, edits, last: JSON.parse(JSON.stringify(last([[waiting, 'waiting']]))) as LastDocument, nowMs }
