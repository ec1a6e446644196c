import { userNamed } from './authentication.ts'
import type { Methods, WorkspaceCall } from './call.ts'
import { showUser } from './people.ts'
import { rowFields, type Shape, showOne, wholeRow } from './projection.ts'
import { detail, json, objectNotFound, type Reply } from './reply.ts'
import { type Page, type Sticky, uuid } from './state.ts'

const stickyShape: Shape<Sticky> = {
  fields: rowFields<Sticky>({
    name: (row) => row.name,
    description_html: (row) => row.description_html,
    color: (row) => row.color,
    workspace: (_, { workspace }) => workspace.id,
    owner: (row, { state }) => userNamed(state, row.owner).id,
  }),
  relations: { owner: (row, { state }) => showUser(userNamed(state, row.owner)) },
}

const pageShape: Shape<Page> = {
  fields: rowFields<Page>({
    name: (row) => row.name,
    description: (row) => row.description,
    description_html: (row) => row.description_html,
    workspace: (_, { workspace }) => workspace.id,
    owned_by: (row, { state }) => userNamed(state, row.owned_by).id,
  }),
  relations: { owned_by: (row, { state }) => showUser(userNamed(state, row.owned_by)) },
}

/** `…/stickies/{resource_id}/`: only the owner sees a sticky. */
export const sticky: Methods<WorkspaceCall> = {
  GET: {
    scope: 'stickies:read',
    run: (call) => {
      const row = call.workspace.stickies.find(({ id, owner }) => id === call.params.id && owner === call.caller.user.name)
      if (row === undefined) return stickyNotFound(call)
      return call.dialect.stickyProjection === 'ignored' ? json(200, wholeRow(stickyShape, row, call)) : showOne(stickyShape, row, call)
    },
  },
}

function stickyNotFound({ params, dialect }: WorkspaceCall): Reply {
  if (dialect.stickyNotFound === 'error') return objectNotFound()
  return detail(404, uuid.test(params.id ?? '') ? 'No Sticky matches the given query.' : 'Not found.')
}

/** `…/pages/{page_id}/` */
export const page: Methods<WorkspaceCall> = {
  GET: {
    scope: 'wiki.pages:read',
    run: (call) => {
      const row = call.workspace.pages.find(({ id }) => id === call.params.id)
      return row === undefined ? objectNotFound() : showOne(pageShape, row, call)
    },
  },
}
