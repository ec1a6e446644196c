/** A service as a client is told of it. Times are the machine's. */
export type Endpoint = {
  /** Without a slash at its end; the address of every call is `path` below it. */
  readonly url: string
  readonly requests: number
  readonly windowMs: number
  /** What a library means for real time, an initial pause of half a second say, is divided by this. */
  readonly speed: number
}

export const path = '/api/v1/users/me/'

/** Below this address the service answers in its own time, for a client whose time is an argument. */
export const unscaled = '/unscaled'

export type Opened = {
  /** One call that has to succeed, whatever it takes. Rejects when it is given up. */
  call(): Promise<void>
  close(): unknown
}

export type Client = {
  /** As the tables call it. */
  readonly name: string
  /** Its packages, for their versions; those of the nested package, or of the project. */
  readonly packages: readonly string[]
  /** How it is used, and why so: stands below the tables. */
  readonly note: string
  open(endpoint: Endpoint): Opened
}

/** By the names in `cells.ts`. The others' files are in the nested package, which has to be installed. */
export async function load(name: string): Promise<Client> {
  const file = name === 'ours' ? './ours.ts' : `../clients/${name}.ts`
  return ((await import(file)) as { default: Client }).default
}
