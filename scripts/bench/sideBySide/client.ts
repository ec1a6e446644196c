/** What a client gets to know about the service. Times are the machine's. */
export type Endpoint = {
  /** Without a slash at the end. Every call goes to `path` below this address. */
  readonly url: string
  readonly requests: number
  readonly windowMs: number
  /** Pauses that a library fixes in real time (for example half a second at first) are divided by this. */
  readonly speed: number
}

export const path = '/api/v1/users/me/'

/** Below this address the service answers in its own time. It is for a client that takes time as an argument. */
export const unscaled = '/unscaled'

export type Opened = {
  /** Makes one call and repeats it until it succeeds. Rejects when the call is given up. */
  call(): Promise<void>
  close(): unknown
}

export type Client = {
  /** Its name in the tables. */
  readonly name: string
  /** Names of its npm packages, which are installed in `scripts/bench/clients` or in the project. docs/dev/benchmarks.md shows their versions. */
  readonly packages: readonly string[]
  /** How it is used, and why; shown below the tables. */
  readonly note: string
  open(endpoint: Endpoint): Opened
}

/** Loads a client by its name in `cells.ts`. The other clients are in `scripts/bench/clients`, whose packages must be installed. */
export async function load(name: string): Promise<Client> {
  const file = name === 'ours' ? './ours.ts' : `../clients/${name}.ts`
  return ((await import(file)) as { default: Client }).default
}
