import { execFileSync, spawn } from 'node:child_process'
import { appendFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readBounded } from '../../src/files/read.ts'
import { walkFolder } from '../../src/files/walk.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'files-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const at = (name: string) => join(folder, name)
const bytesMax = 10 * 1024

/** The text of the file, or the reason why it was not read. */
async function read(
  path: string,
  more: { readonly pipeMs?: number; readonly isReal?: boolean } = {},
  signal?: AbortSignal,
): Promise<string> {
  const got = await readBounded(path, { bytesMax, ...more }, signal)
  return 'why' in got ? `${got.reason}: ${got.why}` : got.bytes.toString()
}

describe('read', () => {
  test.each([0, 1, 4_095, 4_096, 4_097, 10_239, 10_240])('a file of %i bytes', async (size) => {
    await writeFile(at('a'), 'x'.repeat(size))
    expect(await read(at('a'))).toBe('x'.repeat(size))
  })

  test('a file behind links, as Kubernetes mounts it', async () => {
    await mkdir(at('..2026'))
    await writeFile(at('..2026/a'), 'content')
    await symlink('..2026', at('..data'))
    await symlink('..data/a', at('a'))
    expect(await read(at('a'))).toBe('content')
  })

  test('a file whose size the system does not know', async () => {
    expect(await read('/proc/self/status')).toContain('Name:')
  })
})

describe('refused, in words', () => {
  test.each<[name: string, make: (path: string) => unknown, expected: string]>([
    ['nothing', () => undefined, 'missing: there is no such file'],
    ['below a file', async (path) => symlink(join('/etc/hostname', 'x'), path), 'missing: a part of its path is not a folder'],
    ['a folder', (path) => mkdir(path), 'notAFile: this is a folder, not a file'],
    ['a named pipe', (path) => execFileSync('mkfifo', [path]), 'notAFile: this is a pipe, not a file'],
    ['a device', (path) => symlink('/dev/zero', path), 'notAFile: this is a device, not a file'],
    ['a terminal', (path) => symlink('/dev/tty', path), 'notAFile: this is a device, not a file'],
    ['a link to itself', (path) => symlink('a', path), 'failed: this link leads to itself'],
    ['too much', (path) => writeFile(path, 'x'.repeat(bytesMax + 1)), 'tooLarge: the file is larger than 10 KiB'],
    ['far too much', (path) => execFileSync('truncate', ['-s', '5G', path]), 'tooLarge: the file is larger than 10 KiB'],
  ])('%s', async (_, make, expected) => {
    await make(at('a'))
    expect(await read(at('a'))).toBe(expected)
  })

  test('a socket', async () => {
    const server = createServer().listen(at('a'))
    await new Promise((resolve) => server.once('listening', resolve))
    expect(await read(at('a'))).toBe('notAFile: this is a socket, not a file')
    await new Promise((resolve) => server.close(resolve))
  })

  test('an endless file of no size', async () => {
    // A file of /proc has size 0, and its content may be endless.
    expect(await readBounded('/proc/self/status', { bytesMax: 100 })).toMatchObject({ reason: 'tooLarge' })
  })

  test('a path with a NUL, without the path', async () => {
    expect(await read('a\0secret')).toBe('failed: it cannot be read (ERR_INVALID_ARG_VALUE)')
  })

  test('a file that grows while it is read is read to the bound at most', async () => {
    await writeFile(at('a'), '')
    const grower = setInterval(() => void appendFile(at('a'), 'x'.repeat(1_000)), 1)
    for (let attempt = 0; attempt < 50; attempt++) {
      const got = await readBounded(at('a'), { bytesMax })
      if ('bytes' in got) expect(got.bytes.length).toBeLessThanOrEqual(bytesMax)
      else expect(got.reason).toBe('tooLarge')
    }
    clearInterval(grower)
  })

  test('where a link has taken the place of a folder', async () => {
    await mkdir(at('real'))
    await writeFile(at('real/a'), 'content')
    await symlink('real', at('link'))
    await symlink('real/a', at('last'))
    expect(await read(at('real/a'), { isReal: true })).toBe('content')
    expect(await read(at('link/a'), { isReal: true })).toBe('failed: it was replaced while it was opened')
    expect(await read(at('last'), { isReal: true })).toBe('failed: this link leads to itself')
  })
})

describe('a pipe that a person names', () => {
  /** Reads the output of a command through the `<(…)` of a shell. */
  async function piped(command: string, pipeMs = 30_000): Promise<string> {
    const program = `
      const { readBounded } = await import(${JSON.stringify(new URL('../../src/files/read.ts', import.meta.url).href)})
      const got = await readBounded(process.argv[1], { bytesMax: ${bytesMax}, pipeMs: ${pipeMs} })
      console.log('why' in got ? got.reason + ': ' + got.why : got.bytes.toString())`
    const child = spawn('bash', ['-c', `exec "$0" --input-type=module -e "$1" <(${command})`, process.execPath, program], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    let out = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
    await new Promise((resolve) => child.once('close', resolve))
    return out.trimEnd()
  }

  test('is read to its end', async () => {
    expect(await piped('echo content')).toBe('content')
    expect(await piped('sleep 0.3; echo con; sleep 0.3; echo tent')).toBe('con\ntent')
    expect(await piped(`head -c ${bytesMax} /dev/zero | tr '\\0' x`)).toBe('x'.repeat(bytesMax))
  })

  test('has the bound of a file', async () => {
    expect(await piped('cat /dev/zero')).toBe('tooLarge: the file is larger than 10 KiB')
  })

  test('is not waited for without end', async () => {
    expect(await piped('sleep 2', 100)).toBe('failed: nothing more came through this pipe within 0.1 s')
    expect(await piped('while true; do echo x; sleep 0.05; done', 300)).toMatch(/^failed: nothing more came/)
    expect(await piped('true')).toBe('failed: nothing more came through this pipe within 2 s')
  })

  test('may be one with a name, whose writer comes a moment later', async () => {
    execFileSync('mkfifo', [at('a')])
    const reading = read(at('a'), { pipeMs: 10_000 })
    const writer = spawn('bash', ['-c', 'sleep 0.2; echo content > "$0"', at('a')])
    expect(await reading).toBe('content\n')
    writer.kill()
  })
})

test('an abort ends it with its reason', async () => {
  await writeFile(at('a'), 'content')
  await expect(read(at('a'), {}, AbortSignal.abort('asked to'))).rejects.toBe('asked to')
  execFileSync('mkfifo', [at('b')])
  await expect(read(at('b'), { pipeMs: 30_000 }, AbortSignal.timeout(100))).rejects.toThrow('timeout')
})

describe('a walk', () => {
  const bounds = { accepts: (name: string) => name.endsWith('.yaml'), filesMax: 3, entriesMax: 6, depthMax: 2 }
  const { signal } = new AbortController()
  async function walk(names: readonly string[]) {
    for (const name of names) {
      await mkdir(join(folder, name, '..'), { recursive: true })
      await writeFile(at(name), '')
    }
    const { files, obstacles } = await walkFolder(folder, bounds, signal)
    return { files: files.map(({ file }) => file), obstacles: obstacles.map(({ file, why }) => `${file}: ${why}`) }
  }

  test('finds files by name, those of folders among them', async () => {
    expect(await walk(['b.yaml', 'a.txt', 'a/c.yaml', '.x/d.yaml'])).toEqual({ files: ['a/c.yaml', 'b.yaml'], obstacles: [] })
  })

  test('counts every name, hidden ones too, and ends at once', async () => {
    expect((await walk(['a/1', 'a/2', 'b/1', 'c.yaml'])).obstacles).toEqual([])
    expect(await walk(['.d'])).toEqual({ files: [], obstacles: ['b: there are more than 6 files and folders here'] })
  })

  test('ends at the first file too many', async () => {
    expect((await walk(['a.yaml', 'b.yaml', 'c.yaml'])).obstacles).toEqual([])
    expect((await walk(['d.yaml', 'e.yaml'])).obstacles).toEqual(['d.yaml: the declaration has more than 3 files'])
  })

  test('ends with its signal, in the middle', async () => {
    await writeFile(at('a.yaml'), '')
    const stop = new AbortController()
    const accepts = () => {
      stop.abort('asked to')
      return true
    }
    await writeFile(at('b.yaml'), '')
    await expect(walkFolder(folder, { ...bounds, accepts }, stop.signal)).rejects.toBe('asked to')
  })
})
