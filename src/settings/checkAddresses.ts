import { isLoopback } from '../http/addressRanges.ts'
import type { AddProblem, Path } from '../yaml/document.ts'
import { schemaAt } from '../yaml/schemaAt.ts'
import type { z } from '../yaml/zod.ts'
import { directorySchema } from './directories/directory.ts'
import { ldapAddressPattern, type WrongPath, webAddressPattern } from './patterns/address.ts'
import { webAddressMark } from './scalars.ts'
import { type Settings, settingsSchema } from './schema.ts'

/** Checks the addresses of the service and of the directories: how they are written, and that no secret would go to them without TLS. */
export function checkAddresses({ service, directories }: Settings, at: AddProblem): void {
  webAddresses(service, settingsSchema.shape.service, ['service'], at)
  for (const [name, directory] of Object.entries(directories)) {
    const path = ['directories', name]
    webAddresses(directory, directorySchema, path, at)
    if (directory.kind === 'ldap') ldapAddresses(directory, path, at)
  }
}

/** The addresses are found by the mark of their schema, so that no kind of directory can forget one. */
function webAddresses(part: object, schema: z.ZodType, path: Path, at: AddProblem): void {
  const plain = 'allowPlaintext' in part ? part.allowPlaintext === true : 'never'
  for (const [key, value] of Object.entries(part)) {
    const mark = webAddressMark(schemaAt(schema, [key], part))
    if (mark !== undefined && typeof value === 'string') webAddress(value, { plain, ...mark }, [...path, key], at)
  }
}

const hasUserinfo = ({ username, password }: URL): boolean => username !== '' || password !== ''
const withoutUserinfo = (path: Path, at: AddProblem): void =>
  at(path, 'an address must not contain credentials', 'secrets come by reference: { file: … } or { env: … }')

function webAddress(
  address: string,
  { plain, wrong }: { readonly plain: boolean | 'never'; readonly wrong: WrongPath | undefined },
  path: Path,
  at: AddProblem,
): void {
  const url = new URL(address)
  if (hasUserinfo(url)) withoutUserinfo(path, at)
  else if (!['http:', 'https:'].includes(url.protocol))
    at(path, 'this is not an address of HTTP', 'write an address that begins with https://')
  else if (url.search !== '' || url.hash !== '')
    at(path, 'an address must not have a query or a fragment', 'leave out what begins with ? or #')
  else if (url.protocol === 'http:' && !isLoopback(url.hostname) && plain !== true) {
    const cure = plain === 'never' ? 'use https://' : 'use https://, or say allowPlaintext: true beside it'
    at(path, 'plain http:// would show the credential to everyone on the way', cure)
  } else if (!isWebAddress.test(address))
    at(path, 'this is not written as an address of HTTP', 'write https://plane.example.com, with a port or a path where they are needed')
  else if (wrong !== undefined && new RegExp(wrong.pattern, 'u').test(address)) at(path, wrong.message, wrong.cure)
}

const isWebAddress = new RegExp(webAddressPattern, 'u')
const isLdapAddress = new RegExp(ldapAddressPattern, 'u')

type Ldap = Extract<Settings['directories'][string], { kind: 'ldap' }>

function ldapAddresses({ addresses, startTls, allowPlaintext, bind }: Ldap, path: Path, at: AddProblem): void {
  for (const [index, address] of addresses.entries()) {
    const url = URL.canParse(address) ? new URL(address) : undefined
    const addressPath = [...path, 'addresses', index]
    if (url !== undefined && hasUserinfo(url)) withoutUserinfo(addressPath, at)
    else if (url === undefined || !isLdapAddress.test(address))
      at(addressPath, 'this is not an address of LDAP', 'write ldaps://host or ldap://host; add :port if it is not the usual port')
    else if (url.protocol === 'ldaps:' && startTls)
      at(addressPath, 'startTls cannot be used with ldaps://, which uses TLS from the first byte', 'remove startTls, or write ldap://')
    else if (url.protocol === 'ldap:' && !startTls && bind !== 'anonymous' && bind.external !== undefined)
      at(addressPath, 'a certificate can only be shown in TLS, and this address has none', 'use ldaps:// or startTls: true')
    else if (url.protocol === 'ldap:' && !startTls && !allowPlaintext && bind !== 'anonymous' && !isLoopback(url.hostname)) {
      at(
        addressPath,
        'plain ldap:// would show the password to everyone on the way',
        'use ldaps:// or startTls: true, or say allowPlaintext: true beside it',
      )
    }
  }
}
