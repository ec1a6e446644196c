import { expect, test } from 'vitest'
import { rowHead, td } from '../../../../src/render/html/cell.ts'

test.each([
  ['', '<td></td>'],
  ['contributor', '<td class="s">contributor</td>'],
  ['until 2099-12-31', '<td class="s">until <time>2099-12-31</time></td>'],
  ['platform/business.yaml:8 · platform-team', '<td>platform/business.yaml:8 · platform-team</td>'],
  ['x'.repeat(17), `<td class="x">${'x'.repeat(17)}</td>`],
])('only a word that is too long for a column may be broken: %s', (text, cell) => {
  expect(td(text).toString()).toBe(cell)
})

test('the cell that names its row keeps its blanks', () => {
  expect(rowHead('team-facilities').toString()).toBe('<th scope="row" class="n">team-facilities</th>')
  expect(rowHead('x'.repeat(17)).toString()).toBe(`<th scope="row" class="n x">${'x'.repeat(17)}</th>`)
})
