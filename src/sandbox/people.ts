import type { Call, Methods, WorkspaceCall } from './call.ts'
import { error, json, type Reply } from './reply.ts'
import type { User } from './state.ts'

/** What the documentation names for workspaces and projects; `member` of a project is in the specification's examples. */
export const roleDefaults = {
  workspace: ['owner', 'admin', 'member', 'guest'],
  project: ['admin', 'contributor', 'commenter', 'guest', 'member'],
}

export const showUser = ({ id, name, email }: User) => ({ id, email, display_name: name, first_name: name, last_name: '' })

/** `users/me/`: the cheapest way to try a key. */
export const me = ({ caller }: Call): Reply => json(200, showUser(caller.user))

/** `…/roles/?namespace=workspace|project` */
export const roles: Methods<WorkspaceCall> = {
  GET: {
    run: ({ workspace, request }) => {
      const slugs = workspace.roles ?? roleDefaults
      const namespace = request.query.get('namespace')
      if (namespace !== null && namespace !== 'workspace' && namespace !== 'project') {
        return error(400, 'namespace must be workspace or project.')
      }
      const named = (['workspace', 'project'] as const).filter((name) => namespace === null || namespace === name)
      return json(
        200,
        named.flatMap((name) => slugs[name].map((slug) => ({ slug, name: slug, namespace: name }))),
      )
    },
  },
}
