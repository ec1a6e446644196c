import type { ServerResponse } from 'node:http'

export function json(response: ServerResponse, status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): true {
  response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8', ...headers }).end(JSON.stringify(body))
  return true
}

/** An error of the Directory API: https://developers.google.com/workspace/admin/directory/v1/guides/troubleshoot-error-codes */
export const errorBody = (code: number, reason: string, message: string) => ({
  error: { code, message, errors: [{ message, domain: 'global', reason }] },
})

/** An error of an API of Google Cloud: https://cloud.google.com/apis/design/errors#http_mapping */
export const statusBody = (code: number, status: string, message: string, reason?: string) => ({
  error: {
    code,
    message,
    status,
    ...(reason === undefined
      ? {}
      : { details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'googleapis.com' }] }),
  },
})
