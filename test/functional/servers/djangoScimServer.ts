import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { toolsFolder } from '../../toolsFolder.ts'
import { endServer, resourcesAt, type ScimServer, scimServerToken, sendTo } from './scimServer.ts'

const python = join(toolsFolder, 'django-scim', 'bin', 'python')
const program = join(import.meta.dirname, 'django-scim2', 'server.py')

/**
 * Starts a django-scim2 without groups. It pages by index only, and sends each group with its members, whatever is asked for. It numbers users and
 * groups each from 1, so a user and a group have the same id; a member has no `type`, and `$ref` tells what it is (measured on django-scim2 0.23.0).
 *
 * @param filters whether it says that it has filters, and knows the attributes of groups
 */
export async function startDjangoScim(filters: 'filters' | 'no filters' = 'filters'): Promise<ScimServer> {
  if (!existsSync(python)) throw new Error(`django-scim2 is not in ${python}: install it with .ci/install-scim`)
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' }
  const more = filters === 'filters' ? ['filters'] : []
  const child = spawn(python, [program, scimServerToken, ...more], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-4_000)))
  const failed = once(child, 'close').then(([code]) => {
    throw new Error(`django-scim2 did not start: it ended with ${code}:\n${said}`)
  })
  failed.catch(() => undefined)
  const [port] = await Promise.race([once(createInterface(child.stdout), 'line') as Promise<[string]>, failed])
  const url = new URL(`http://127.0.0.1:${port}/scim/v2`)
  const resources = resourcesAt(url)
  /** It takes members by PATCH only. */
  const change = (id: string, op: 'add' | 'remove', members: readonly object[]) =>
    sendTo(url, 'PATCH', `/Groups/${id}`, 200, { Operations: [{ op, path: 'members', value: members }] })
  return {
    url,
    ...resources,
    add: async (displayName, members = []) => {
      const id = await resources.add(displayName)
      if (members.length > 0) await change(id, 'add', members)
      return id
    },
    kill: () => endServer(child, 'SIGKILL'),
    [Symbol.asyncDispose]: () => endServer(child, 'SIGTERM'),
  }
}
