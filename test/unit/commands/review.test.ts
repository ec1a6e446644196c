import { expect, test } from 'vitest'
import { writeQuestion } from '../../../src/commands/reviewed.ts'
import { create, held, plan, remove } from '../render/sample.ts'

const deleted = remove('ENG', 'old', 'guest', 'removed')

test('the question before an apply says whether everything is a delete', () => {
  expect(writeQuestion([plan({ changes: [deleted] }), plan({ changes: [remove('OPS', 'old', 'guest', 'removed')] })])).toBe(
    'Delete 2 mappings',
  )
  expect(writeQuestion([plan({ changes: [deleted, create('ENG', 'a', 'guest')] })])).toBe('Write 2 changes')
  const waits = held(deleted, { kind: 'approval', why: 'protectedGroup' })
  expect(writeQuestion([plan({ changes: [create('ENG', 'a', 'guest')], holds: [waits] })])).toBe('Write 1 change')
  expect(writeQuestion([plan({ holds: [held(deleted, { kind: 'quarantined', since: 'startUp' })] })])).toBe('Delete 1 mapping')
})
