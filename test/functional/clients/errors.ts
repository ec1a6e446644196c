import type { DialectName } from '../../../src/sandbox/dialect.ts'
import type { Credential } from './call.ts'
import type { Operation } from './client.ts'
import { absent, page, project } from './world.ts'

/** A call that the sandbox refuses, or that a fault spoils. */
export type Refused = {
  readonly what: string
  readonly operation: Operation
  readonly args: readonly unknown[]
  readonly query?: Readonly<Record<string, unknown>>
  readonly by?: Credential
  readonly fault?: string
  readonly status: number | Record<DialectName, number>
  /** The part of the answer that the client's error contains. */
  readonly body?: unknown
}

const mappings = 'acme/group-sync/project-mappings'
const mapping = { idp_group_name: 'new', project: 'OPS', role: 'role-01' }
const required = ['This field is required.']

export const errors: readonly Refused[] = [
  { what: 'a sticky that is not there', operation: 'sticky', args: ['acme', absent], status: 404 },
  { what: 'a wiki page that is not there', operation: 'page', args: ['acme', absent], status: 404 },
  { what: 'a project that is not there', operation: 'workItems', args: ['acme', absent], status: { specification: 404, plane: 403 } },
  { what: 'a mapping that is not there', operation: 'remove', args: [`${mappings}/${absent}`], status: 404 },
  { what: 'a workspace that is not there', operation: 'projects', args: ['nowhere'], status: { specification: 404, plane: 403 } },
  { what: 'an unknown key', operation: 'me', args: [], by: { key: 'wrong' }, status: { specification: 401, plane: 403 } },
  { what: 'an unknown token', operation: 'me', args: [], by: { token: 'wrong' }, status: 401 },
  { what: 'a token without the scope', operation: 'page', args: ['acme', page], by: { token: 'narrow' }, status: 403 },
  { what: 'a key that may only read', operation: 'create', args: [mappings, mapping], by: { key: 'reading-key' }, status: 403 },
  { what: 'a key that has used its requests up', operation: 'me', args: [], by: { key: 'spent-key' }, status: 429 },
  { what: 'an unknown namespace', operation: 'roles', args: ['acme'], query: { namespace: 'both' }, status: 400 },
  { what: 'a broken cursor', operation: 'workItems', args: ['acme', project], query: { cursor: 'next' }, status: 400 },
  {
    what: 'a body without its fields',
    operation: 'create',
    args: [mappings, {}],
    status: 400,
    body: { idp_group_name: required, role: required },
  },
  { what: 'an empty patch', operation: 'update', args: ['acme/group-sync/config', {}], status: 400 },
  { what: 'a service that is down', operation: 'roles', args: ['acme'], fault: 'GET roles: 503', status: 503 },
]
