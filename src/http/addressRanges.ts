import { BlockList, isIP } from 'node:net'

/** A range of addresses: `10.0.0.0/8`, `fd00::/8`. `size`: the number of leading bits. */
type AddressRange = { readonly address: string; readonly size: number; readonly family: 'ipv4' | 'ipv6' }

/** The entries of `no_proxy` that have a slash. `range` is undefined if the entry is not a range of addresses. */
export const rangesIn = (except: string): readonly { readonly entry: string; readonly range: AddressRange | undefined }[] =>
  except
    .split(/[,\s]+/)
    .filter((entry) => entry.includes('/'))
    .map((entry) => ({ entry, range: rangeOf(entry) }))

function rangeOf(entry: string): AddressRange | undefined {
  const [, address = '', bits = ''] = /^(.+)\/(\d{1,3})$/.exec(entry) ?? []
  const plain = withoutBrackets(address)
  const version = isIP(plain)
  const size = Number(bits)
  if (version === 0 || size > (version === 4 ? 32 : 128)) return undefined
  return { address: plain, size, family: version === 4 ? 'ipv4' : 'ipv6' }
}

/**
 * Whether a host is an address in one of the ranges of `no_proxy`, as for curl and Go. A name is in no range, also if its address is.
 *
 * @param hostname as in a URL: an IPv6 address is in brackets
 */
export function isInRanges(hostname: string, except: string): boolean {
  const address = withoutBrackets(hostname)
  const version = isIP(address)
  if (version === 0) return false
  const list = new BlockList()
  for (const { range } of rangesIn(except)) if (range !== undefined) list.addSubnet(range.address, range.size, range.family)
  return list.check(address, version === 4 ? 'ipv4' : 'ipv6')
}

const withoutBrackets = (text: string): string => text.replace(/^\[(.+)\]$/, '$1')

/** True for loopback addresses and `localhost` (RFC 6761 §6.3). Any other name can resolve to another machine tomorrow. */
export const isLoopback = (hostname: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
