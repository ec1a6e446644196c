import type { AddProblem, Path } from '../yaml/document.ts'
import type { DirectorySettings } from './directories/directory.ts'

/** Checks that a directory of the kind `scim` has exactly one way to its tokens: a static token, or a client with an issuer or a token endpoint. */
export function checkScim(directory: Extract<DirectorySettings, { kind: 'scim' }>, path: Path, at: AddProblem): void {
  const { token, client, issuer, tokenUrl, scopes } = directory
  if (token === undefined && client === undefined)
    at(path, 'the directory has nothing that gives a token', 'add `token`, or `client` with `issuer` or `tokenUrl`', 'key')
  if (token !== undefined && client !== undefined)
    at([...path, 'client'], 'a directory has either "token" or "client"', 'keep one of them', 'key')
  if (client !== undefined && issuer === undefined && tokenUrl === undefined)
    at([...path, 'client'], 'the client has no "issuer" and no "tokenUrl" beside it', 'add one of them', 'key')
  if (issuer !== undefined && tokenUrl !== undefined)
    at(
      [...path, 'tokenUrl'],
      'a client has either "issuer" or "tokenUrl"',
      'keep `issuer` if the server has metadata, otherwise `tokenUrl`',
      'key',
    )
  if (client !== undefined) return
  for (const [name, isSet] of Object.entries({
    issuer: issuer !== undefined,
    tokenUrl: tokenUrl !== undefined,
    scopes: scopes !== undefined,
  }))
    if (isSet)
      at([...path, name], `"${name}" is about the tokens of a client, and there is no "client"`, 'remove it, or add `client`', 'key')
}
