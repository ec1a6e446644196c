import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** `count` ports of 127.0.0.1 that are free now and differ from each other. Another process may take one before it is used. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

/** A port of 127.0.0.1 that is free now. */
export const freePort = async (): Promise<number> => (await freePorts(1))[0] as number
