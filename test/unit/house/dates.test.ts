import { expect, test } from 'vitest'
import { filesBelow } from './files.ts'

/** Up to the end of this year all dates have passed, so an example of something that has ended may have one. */
const lastPastYear = 2025
/** From this year on a date counts as one that does not pass. */
const firstFarYear = 2090

const examples = [
  ...filesBelow('docs', '.md'),
  ...filesBelow('config', '.yaml'),
  ...filesBelow('config', '.json'),
  ...filesBelow('helm', '.md'),
]
const readme = filesBelow('.', '.md').filter(({ path }) => path === 'README.md')

test('no example of a rule or key begins or ends at a date that will pass', () => {
  const dated = [...readme, ...examples].flatMap(({ path, text }) =>
    [...text.matchAll(/\b(?:starts|expires|expiresAt|written as|as in)\W{0,4} *"?(\d{4})-\d\d-\d\d/g)].map(([found, year]) => ({
      path,
      found,
      year: Number(year),
    })),
  )
  expect(dated.length).toBeGreaterThan(5)
  expect(dated.filter(({ year }) => lastPastYear < year && year < firstFarYear)).toEqual([])
})
