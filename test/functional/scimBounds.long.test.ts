import { describe, expect, test } from 'vitest'
import { scimGroups, scimReading } from './scimWorld.ts'
import { type ScimFault, scimJson } from './standIns/scim.ts'

const some = scimGroups(25)
const byCursor = { oddities: { cursors: true } } as const
/** New groups on each page, and always a next one. */
const endless: ScimFault = ({ key, nth }, response) => {
  if (key !== 'groups') return false
  scimJson(response, 200, { totalResults: 900, Resources: scimGroups(10, nth * 10), nextCursor: `after-${nth * 10}` })
  return true
}

describe('a list without end', () => {
  test('more groups than groupsMax: failed after the first page', async () => {
    const { result, asked } = await scimReading(some, undefined, { limits: { groupsMax: 24 } })
    expect(result).toMatchObject({
      status: 'failed',
      why: expect.stringContaining('there are at least 25 groups, which are more than groupsMax (24)'),
      cure: expect.stringContaining('raise groupsMax'),
    })
    expect(asked).toHaveLength(1)
    expect((await scimReading(some, undefined, { limits: { groupsMax: 25 } })).result.status).toBe('complete')
  })

  test('quick pages', async () => {
    const { result, asked } = await scimReading(some, endless, { ...byCursor, limits: { groupsMax: 1_000 } })
    expect(result).toMatchObject({
      status: 'partial',
      missing: 'the server says that its list has 900 groups, and has sent 910; if it is so at each reading, set pageSize: 0',
    })
    expect(asked).toHaveLength(91)
  })

  test('too many requests', async () => {
    const { result } = await scimReading(some, endless, { ...byCursor, limits: { requestsMax: 20 } })
    expect(result).toMatchObject({ status: 'failed', why: expect.stringContaining('not read after 20 requests') })
  })

  test('slow pages meet the limit of the reading', async () => {
    const { result } = await scimReading(some, endless, { oddities: { cursors: true, latencyMs: 60 }, readingMs: 1_000 })
    expect(result).toMatchObject({
      status: 'failed',
      why: 'it was not read to its end within 1 s',
      cure: expect.stringContaining('readingTimeout'),
    })
  })

  test('given up', async () => {
    const { result } = await scimReading(some, () => true, { signal: AbortSignal.timeout(100) })
    expect(result).toMatchObject({ status: 'failed', why: expect.stringContaining('given up') })
  })
})
