import type { AddressInfo } from 'node:net'
import express from 'express'
import { Resources } from 'scimmy'
import { SCIMMYRouters } from 'scimmy-routers'

/** A SCIM server on loopback that keeps its groups and users in memory. The only argument is its bearer token. It prints its port when it is ready. */
const token = process.argv[2]

type Resource = { readonly id?: string; readonly filter?: { match(values: readonly object[]): readonly object[] } }
type Stored = { readonly id: string; readonly displayName: string; readonly userName: string }

/** What scimmy asks of a program that stores one type of resources. */
function store(name: string) {
  const stored = new Map<string, Stored>()
  let made = 0
  return {
    egress: ({ id, filter }: Resource) => {
      const all = [...stored.values()]
      // scimmy answers 404 to an error that is none of its own.
      if (id !== undefined && !stored.has(id)) throw new Error('there is no such resource')
      if (id !== undefined) return stored.get(id) as Stored
      return filter === undefined ? all : (filter.match(all) as Stored[])
    },
    ingress: ({ id = `${name}-${String(++made).padStart(6, '0')}` }: Resource, data: object) => {
      const resource = { ...data, id } as Stored
      stored.set(id, resource)
      return resource
    },
    degress: ({ id }: Resource) => void stored.delete(id as string),
  }
}

Resources.declare(Resources.User, store('user'))
Resources.declare(Resources.Group, store('group'))

const handler = (request: express.Request): string => {
  if (request.header('authorization') !== `Bearer ${token}`) throw new Error('another token')
  return 'reader'
}
const server = express()
  .use('/scim/v2', new SCIMMYRouters({ type: 'bearer', handler }) as express.Router)
  .listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`))
