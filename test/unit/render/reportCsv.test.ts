import { expect, test } from 'vitest'
import type { ReportDocument } from '../../../src/documents/report.ts'
import { reportCsv } from '../../../src/render/reportCsv.ts'

const reported = (group: string, reason = ''): ReportDocument => ({
  ...{ format: 'plane-group-sync/report', version: 1, at: '2026-11-03T02:14:00.000Z', from: 'readings' },
  workspaces: [
    {
      workspace: 'acme',
      lists: [],
      rows: [
        {
          ...{ id: 'm1', group, target: { kind: 'workspace' }, role: null, standing: 'declared' },
          because: { at: { file: 'a.yaml', line: 1, column: 2 }, reason },
        },
      ],
    },
  ],
})
const cells = (report: ReportDocument) => (reportCsv(report).split('\n')[1] ?? '').split(',')

test.each([
  ['=1+1', "'=1+1"],
  ['+49', "'+49"],
  ['-1', "'-1"],
  ['@x', "'@x"],
  ['a=b', 'a=b'],
  ['a;=1', '"a;\'=1"'],
  ['a; @x', '"a; \'@x"'],
  ['say "x"', '"say ""x"""'],
  ['plain name', 'plain name'],
])('a group %s is the cell %s', (group, cell) => expect(cells(reported(group))[2]).toBe(cell))

test('a tab and a line feed are no end of a cell', () => {
  const line = reportCsv(reported('\t=1', 'a\nb'))
  expect(line.split('\n')).toHaveLength(3)
  expect(line).not.toContain('\t')
})

test('the facts of the head stand in each row', () => {
  const report = { ...reported('a'), filter: { roles: ['admin'], owners: [], groups: [] } }
  const [titles = '', row = ''] = reportCsv(report).split('\n')
  const at = (title: string) => row.split(',')[titles.split(',').indexOf(title)]
  expect(at('report_at')).toBe('2026-11-03T02:14:00.000Z')
  expect(at('filter')).toBe('role admin')
  expect(at('mapping')).toBe('m1')
})
