import type { Call, Methods, WorkspaceCall } from './call.ts'
import { showList } from './pagination.ts'
import type { Shape } from './projection.ts'
import { error, json, type Reply } from './reply.ts'
import type { User } from './state.ts'

/** The roles that the documentation names. `member` of a project is in the specification's examples. */
export const roleDefaults = {
  workspace: ['owner', 'admin', 'member', 'guest'],
  project: ['admin', 'contributor', 'commenter', 'guest', 'member'],
}

export const showUser = ({ id, name, email }: User) => ({ id, email, display_name: name, first_name: name, last_name: '' })

/** `users/me/`: the cheapest way to try a key. */
export const me = ({ caller }: Call): Reply => json(200, showUser(caller.user))

const namespaces = ['project', 'workspace'] as const
type Role = { readonly slug: string; readonly namespace: (typeof namespaces)[number] }

const roleShape: Shape<Role> = {
  fields: { slug: ({ slug }) => slug, name: ({ slug }) => slug, namespace: ({ namespace }) => namespace },
}

/** `…/roles/?namespace=workspace|project`; without `namespace` the roles of both, project first. */
export const roles: Methods<WorkspaceCall> = {
  GET: {
    quirks: ['envelope', 'overlap'],
    run: (call) => {
      const slugs = call.workspace.roles ?? roleDefaults
      const asked = call.request.query.get('namespace')
      const shown = namespaces.filter((namespace) => asked === null || namespace === asked)
      if (shown.length === 0) return error(400, 'namespace must be workspace or project.')
      const rows = shown.flatMap((namespace) => slugs[namespace].map((slug) => ({ slug, namespace })))
      return showList(roleShape, rows, call, { form: 'envelope', perPage: call.dialect.rolesPerPage })
    },
  },
}
