import type { Caller } from './call.ts'
import { PlaneError } from './errors.ts'
import { mappingsPath, operationName, type PlaneWorkspace, projectsPath } from './resources.ts'
import { ownerFrom } from './wire/owner.ts'
import { pageQuery } from './wire/page.ts'

/** What a credential may read in a workspace: the error of each list that it may not read. */
export type ReadAccess = { readonly mappings?: PlaneError; readonly projects?: PlaneError }

/** The account to which the credential belongs, as people call it. @throws {PlaneError} */
export const readOwner = (call: Caller, signal: AbortSignal): Promise<string> =>
  call.read({ name: 'users.me', method: 'GET', path: '/api/v1/users/me/' }, ownerFrom, signal)

/** Asks for the project mappings and for one project. Neither creates anything. Other errors than those of Plane are thrown. */
export async function readAccess(call: Caller, { slug }: PlaneWorkspace, signal: AbortSignal): Promise<ReadAccess> {
  const refusal = async (name: string, path: string, query: Readonly<Record<string, string>>) => {
    try {
      await call.read({ name, method: 'GET', path, query }, () => true, signal)
      return undefined
    } catch (error) {
      if (error instanceof PlaneError) return error
      throw error
    }
  }
  const mappings = await refusal(`${operationName('projectRoles')}.list`, mappingsPath(slug, 'projectRoles'), {})
  const projects = await refusal('projects.list', projectsPath(slug), pageQuery(1))
  return { ...(mappings === undefined ? {} : { mappings }), ...(projects === undefined ? {} : { projects }) }
}
