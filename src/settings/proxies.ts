import { rangesIn } from '../http/addressRanges.ts'
import { type Problem, problemOfFile } from '../yaml/problem.ts'
import type { Environment } from './load.ts'

/** A variable of the environment, by the name that was found. */
type Variable = { readonly name: string; readonly value: string }

type Proxies = { readonly http: Variable | undefined; readonly https: Variable | undefined; readonly except: Variable | undefined }

/** The proxies that the environment names. */
export const proxiesIn = (env: Environment): Proxies => ({
  http: proxyIn(env, 'http_proxy'),
  https: proxyIn(env, 'https_proxy'),
  except: variableIn(env, 'no_proxy'),
})

/** A variable in lower case goes before the one in upper case, also if it is empty. */
function variableIn(env: Environment, lower: string): Variable | undefined {
  const name = [lower, lower.toUpperCase()].find((variable) => env[variable] !== undefined)
  return name === undefined ? undefined : { name, value: env[name] ?? '' }
}

function proxyIn(env: Environment, lower: string): Variable | undefined {
  const variable = variableIn(env, lower)
  return variable && { ...variable, value: withScheme(variable.value) }
}

/** Like curl, this program takes a proxy without a scheme for one that speaks HTTP: `proxy.example.com:3128`. Only a port tells it from a word. */
const withScheme = (value: string): string =>
  /^\s*(?:[^@\s/]+@)?(?:[^:@\s/[\]]+|\[[\da-f:.]+\]):\d{1,5}\/?\s*$/i.test(value) ? `http://${value.trim()}` : value

/** Problems of the proxies that the environment names. No value is shown, because it may contain a password. */
export function proxyProblems(env: Environment): readonly Problem[] {
  const { http, https, except } = proxiesIn(env)
  const problems = [http, https].flatMap((variable) => {
    const message = whyNoProxy(variable?.value ?? '')
    if (variable === undefined || message === undefined) return []
    return [problemOf(variable, message, 'write http://proxy.example.com:3128, or remove the variable')]
  })
  if (!http?.value && !https?.value) return problems
  // Such an entry would have no effect, and credentials would go to the proxy.
  const hasOddRange = except !== undefined && rangesIn(except.value).some(({ range }) => range === undefined)
  return hasOddRange ? [...problems, problemOf(except, 'an entry with a slash is not a range of addresses', rangeCure)] : problems
}

const rangeCure = 'write a range as 10.0.0.0/8 or fd00::/8; a name and a single address have no slash'

const problemOf = ({ name }: Variable, message: string, cure: string): Problem =>
  problemOfFile(`environment variable ${name}`, message, cure)

function whyNoProxy(value: string): string | undefined {
  if (value === '') return undefined
  const url = URL.parse(value)
  if (url !== null && /^socks\w*:$/.test(url.protocol)) return 'a SOCKS proxy is not supported, only a proxy that speaks HTTP'
  return url !== null && isHttpProxy(url) ? undefined : 'this is not the address of a proxy'
}

function isHttpProxy({ protocol, hostname, pathname, search, hash }: URL): boolean {
  if ((protocol !== 'http:' && protocol !== 'https:') || hostname === '') return false
  return (pathname === '/' || pathname === '') && search === '' && hash === ''
}
