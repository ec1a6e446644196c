import { type Problem, problemOfFile } from '../yaml/problem.ts'
import type { Environment } from './load.ts'

/** The variables that may name a proxy, in the order in which they are looked up. */
const variables = [
  ['http_proxy', 'HTTP_PROXY'],
  ['https_proxy', 'HTTPS_PROXY'],
] as const

/** Problems of the proxies that the environment names. The value is not shown, because it may contain a password. */
export function proxyProblems(env: Environment): readonly Problem[] {
  return variables.flatMap((names) => {
    const name = names.find((one) => env[one] !== undefined)
    const value = name === undefined ? '' : (env[name] ?? '')
    if (name === undefined || value === '' || isProxy(value)) return []
    const cure = 'write http://proxy.example.com:3128, or remove the variable'
    return [problemOfFile(`environment variable ${name}`, 'this is not the address of a proxy', cure)]
  })
}

const schemes: ReadonlySet<string> = new Set(['http:', 'https:', 'socks5:', 'socks:'])

function isProxy(value: string): boolean {
  const url = URL.parse(value)
  if (url === null || !schemes.has(url.protocol) || url.hostname === '') return false
  return (url.pathname === '/' || url.pathname === '') && url.search === '' && url.hash === ''
}
