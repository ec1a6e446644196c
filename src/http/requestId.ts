import type { Answer } from './origin.ts'

/** Headers in which servers and proxies name a request, the most usual first. */
const names = ['x-request-id', 'request-id', 'x-correlation-id', 'x-trace-id', 'x-amzn-requestid', 'x-amzn-trace-id', 'cf-ray']
const charactersMax = 100

/** The id by which the logs of the server know this request; empty if there is no answer, or if the answer has no id. */
export function requestIdOf(answer: Pick<Answer, 'headers'> | undefined): { readonly requestId?: string } {
  const found = names.map((name) => answer?.headers[name]).find((value) => value !== undefined && value !== '')
  return found === undefined ? {} : { requestId: found.slice(0, charactersMax) }
}
