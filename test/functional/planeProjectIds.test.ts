import { expect, test } from 'vitest'
import { change, client, inProject, never } from './planeWorld.ts'
import { json, rawServer } from './rawServer.ts'

const id = '0190f0a0-0000-4000-a000-000000000001'
const projectId = '11111111-1111-4111-8111-111111111111'
const row = { id, idp_group_name: 'devs', role: 'member', project: projectId, all_projects: false }

test('a list whose mappings name the project by its id fails, since no id is the identifier of another project', async () => {
  await using server = await rawServer((_, response) => json(response, 200, [row]))
  const reading = await client(server.url).reader.mappings('projectRoles', never)
  expect(reading).toMatchObject({
    status: 'failed',
    why: expect.stringContaining(`[0].project: "${projectId}" has 36 characters`) as string,
    cure: expect.stringContaining('check the address of Plane (service.baseUrl, or PLANE_BASE_URL)') as string,
  })
})

test('after an answer that names the project by its id, it is unknown what a write did', async () => {
  await using server = await rawServer((_, response) => json(response, 201, row))
  const { writer } = client(server.url)
  expect(await writer.write(change('devs', inProject('ENG'), { action: 'create', role: 'member' }), never)).toMatchObject({
    kind: 'unknown',
    why: expect.stringContaining(projectId) as string,
  })
})
