import type { Plugin } from 'rolldown'

const id = '\0undici'

/**
 * `src/http/connections.ts` uses two classes of undici. The package loads all of itself, with its `fetch`, WebSockets and caches; the bundle has only the parts
 * below these two classes. The third statement is one of the package's own, without which a dispatcher cannot send.
 */
export const partsOfUndici: Plugin = {
  name: 'parts-of-undici',
  resolveId: (name) => (name === 'undici' ? id : null),
  load: (name) => (name === id ? parts : null),
}

const parts = `import Dispatcher from 'undici/lib/dispatcher/dispatcher.js'
import api from 'undici/lib/api/index.js'
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js'
import Pool from 'undici/lib/dispatcher/pool.js'

Object.assign(Dispatcher.prototype, api)
export { EnvHttpProxyAgent, Pool }
`
