import { describe, expect, test } from 'vitest'
import { dialectNames, project, projectMappings, startWorld, sticky, type World, workspaceMappings } from './specification-world.ts'

/** Answers in which the dialects differ, but the specification has no line about it. */
describe.each(dialectNames)('answers of the dialect %s', (dialect) => {
  const open = (more = {}) => startWorld(dialect, AbortSignal.timeout(20_000), more)
  const absent = '0190f0a0-0000-4000-a000-00000000ffff'
  const read = async ({ ask }: World, path: string, key = 'good-key') => {
    const { status, json } = await ask('GET', path, { key })
    return [status, json]
  }
  const objectNotFound = [404, { error: 'The requested resource does not exist.' }]
  const remaining = async ({ ask }: World) => Number((await ask('GET', '/api/v1/users/me/')).headers.get('x-ratelimit-remaining'))

  test.each([
    ['the throttle', [], 'slow-key'],
    ['a fault', ['GET projects: 429 retry after 2s'], 'good-key'],
  ])('the body of a 429 of %s', async (_, faults, key) => {
    await using world = await open({ faults })
    for (let sent = 0; sent < 3; sent += 1) await world.ask('GET', 'projects/', { key })
    const [status, body] = await read(world, 'projects/', key)
    expect(status).toBe(429)
    const plain = { detail: expect.stringMatching(/^Request was throttled\./) as string }
    expect(body).toEqual(world.by<object>({ specification: plain, plane: { error_code: 5900, error_message: 'RATE_LIMIT_EXCEEDED' } }))
  })

  test('work items of a project that does not exist', async () => {
    await using world = await open()
    const forbidden = [403, { detail: 'You do not have permission to perform this action.' }]
    expect(await read(world, `projects/${absent}/work-items/`)).toEqual(
      world.by<unknown>({ specification: objectNotFound, plane: forbidden }),
    )
  })

  test.each(['ENG', 'x', project.toUpperCase(), `${project}0`])('work items of a project %s: no UUID', async (id) => {
    await using world = await open()
    const before = await remaining(world)
    const unknown = [404, { error: 'Page not found.' }]
    expect(await read(world, `projects/${id}/work-items/`)).toEqual(world.by({ specification: objectNotFound, plane: unknown }))
    expect(before - (await remaining(world))).toBe(world.by({ specification: 2, plane: 1 }))
    const slashless = await world.ask('GET', `projects/${id}/work-items`)
    expect(slashless.status).toBe(404)
  })

  test.each([
    [absent, 'No Sticky matches the given query.'],
    ['nothing', 'Not found.'],
  ])('a sticky %s that does not exist', async (id, detail) => {
    await using world = await open()
    expect(await read(world, `stickies/${id}/`)).toEqual(world.by<unknown>({ specification: objectNotFound, plane: [404, { detail }] }))
  })

  test('fields and expand of a sticky', async () => {
    await using world = await open()
    const [, whole] = (await read(world, `stickies/${sticky}/`)) as [number, Record<string, unknown>]
    const [, named] = await read(world, `stickies/${sticky}/?fields=name,owner&expand=owner`)
    const chosen = { name: 'Remember', owner: expect.objectContaining({ display_name: 'admin' }) as object }
    expect(named).toEqual(world.by<object>({ specification: chosen, plane: whole }))
  })

  test.each([
    ['per_page=-1', 400, 500],
    ['per_page=-1&cursor=1:-1:0', 400, 500],
    ['per_page=-1&cursor=1:1:0', 400, 400],
    ['per_page=0&cursor=1:-1:0', 400, 500],
    ['per_page=1&cursor=1:-1:1', 400, 400],
    ['cursor=0:0:0', 400, 200],
    ['cursor=-5:0:7', 400, 200],
    ['cursor=2.0:0:0', 400, 200],
    ['cursor=2:0', 400, 400],
    ['per_page=%2B1', 400, 400],
  ])('a page at its edges: %s', async (query, specification, plane) => {
    await using world = await open()
    expect((await world.ask('GET', `projects/${project}/work-items/?${query}`)).status).toBe(world.by({ specification, plane }))
  })

  test('a negative page is an error of its own', async () => {
    await using world = await open()
    const [, body] = await read(world, 'projects/?per_page=1&cursor=1:-1:1')
    expect(body).toEqual({ detail: world.by({ specification: 'Invalid cursor parameter.', plane: 'Error in parsing' }) })
  })

  test('a cursor of another page size', async () => {
    await using world = await open()
    const { results } = await world.ask('GET', `projects/${project}/work-items/?per_page=2&cursor=3:1:0`)
    const names = world.by({ specification: ['Work 3', 'Work 4', 'Work 5'], plane: ['Work 2', 'Work 3'] })
    expect(results.map(({ name }) => name)).toEqual(names)
  })

  test.each(['__proto__', 'constructor', '-toString', 'hasOwnProperty'])('order_by=%s is an unknown order', async (order) => {
    await using world = await open()
    const { status, text } = await world.ask('GET', `projects/?order_by=${order}`)
    expect([status, text.includes('sandbox itself')]).toEqual([world.by({ specification: 200, plane: 500 }), false])
  })

  describe('a form as a body', () => {
    const send = async (world: World, method: string, path: string, body: string) => {
      const headers = { 'X-API-Key': world.key, 'Content-Type': 'application/x-www-form-urlencoded' }
      const answer = await fetch(`${world.sandbox.url}/api/v1/workspaces/acme/${path}`, { method, headers, body })
      return [answer.status, await answer.json()] as const
    }

    test('creates and changes a mapping, or is refused', async () => {
      await using world = await open()
      const created = await send(
        world,
        'POST',
        projectMappings,
        'idp_group_name=a+%26+b&role=guest&role=member&project=eng&all_projects=false',
      )
      if (dialect === 'specification') return expect(created).toMatchObject([415, {}])
      expect(created).toMatchObject([201, { idp_group_name: 'a & b', role: 'member', project: 'ENG', all_projects: false }])
      const { id } = created[1] as { id: string }
      expect(await send(world, 'PATCH', `${projectMappings}${id}/`, 'project=&all_projects=true')).toMatchObject([
        200,
        { project: null, all_projects: true, role: 'member' },
      ])
    })

    test('has the same checks as JSON', async () => {
      await using world = await open()
      if (dialect === 'specification') return
      expect(await send(world, 'POST', workspaceMappings, 'idp_group_name=&role=__proto__')).toEqual([
        400,
        { idp_group_name: ['This field may not be blank.'] },
      ])
      expect(await send(world, 'POST', workspaceMappings, '__proto__=x&idp_group_name=g')).toMatchObject([400, { role: expect.any(Array) }])
    })
  })
})
