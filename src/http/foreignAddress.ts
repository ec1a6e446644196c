/** The metadata of the server, or an answer, names an address of another origin, which must not get the secret. */
export class ForeignAddress extends Error {
  override readonly name = 'ForeignAddress'
  readonly address: URL
  constructor(address: URL) {
    super(`${address.origin}${address.pathname} is not an address for this secret`)
    this.address = address
  }
}
