/** `resolver`: the resolver of this machine was asked for a name. `proxy`: the proxy was asked for a tunnel; its address is without a password. */
export type ConnectionStep = { readonly kind: 'resolver'; readonly host: string } | { readonly kind: 'proxy'; readonly proxy: string }

/** The proxy could not be reached, or did not open a tunnel. `status`: that of its answer; undefined if it gave none. */
export class ProxyFailure extends Error {
  override readonly name = 'ProxyFailure'
  readonly proxy: string
  readonly status: number | undefined
  constructor(proxy: string, status: number | undefined, cause?: unknown) {
    super(`${proxy} did not open a tunnel`, { cause })
    this.proxy = proxy
    this.status = status
  }
}
