import type { AddressInfo } from 'node:net'
import express from 'express'
import { Resources } from 'scimmy'
import { SCIMMYRouters } from 'scimmy-routers'

/** A SCIM server on loopback that keeps its groups in memory. The only argument is its bearer token. It prints its port when it is ready. */
const token = process.argv[2]

type Resource = { readonly id?: string; readonly filter?: { match(values: readonly object[]): readonly object[] } }
type Stored = { readonly id: string; readonly displayName: string }
const groups = new Map<string, Stored>()
let made = 0

Resources.declare(Resources.User, {
  egress: () => [],
  ingress: (_: Resource, data: object) => data,
  degress: () => undefined,
})
Resources.declare(Resources.Group, {
  egress: ({ id, filter }: Resource) => {
    const all = [...groups.values()]
    if (id !== undefined) return groups.get(id) as Stored
    return filter === undefined ? all : (filter.match(all) as Stored[])
  },
  ingress: ({ id = `group-${String(++made).padStart(6, '0')}` }: Resource, data: object) => {
    const group = { ...data, id } as Stored
    groups.set(id, group)
    return group
  },
  degress: ({ id }: Resource) => void groups.delete(id as string),
})

const handler = (request: express.Request): string => {
  if (request.header('authorization') !== `Bearer ${token}`) throw new Error('another token')
  return 'reader'
}
const server = express()
  .use('/scim/v2', new SCIMMYRouters({ type: 'bearer', handler }) as express.Router)
  .listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`))
