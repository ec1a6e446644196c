import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'

/**
 * Passes connections of the sockets `PORT.sock` in a folder to these ports of its own loopback. A socket in a folder can be reached from any network
 * namespace. Prints a line when it listens, and ends at the end of its standard input: with the process that started it.
 */
const [folder = '', ...ports] = process.argv.slice(2)
for (const port of ports) {
  const server = createServer({ allowHalfOpen: true }, (outer) => {
    const inner = connect({ host: '127.0.0.1', port: Number(port), allowHalfOpen: true })
    outer
      .on('error', () => inner.destroy())
      .pipe(inner.on('error', () => outer.destroy()))
      .pipe(outer)
  })
  await once(server.listen(join(folder, `${port}.sock`)), 'listening')
}
process.stdin.resume().on('end', () => process.exit())
process.stdout.write('ready\n')
