import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** One call of a program: its name and its arguments. */
export type Call = readonly [program: string, ...args: string[]]

/** Programs of a step that only say that they were called. What npm and helm are asked for otherwise, the real ones do. */
const never: Readonly<Record<string, string>> = {
  docker: '*',
  gh: '*',
  cosign: '*',
  skopeo: '*',
  sudo: '*',
  helm: 'push*',
  // The last two are what runs this test.
  npm: 'publish*|audit*|test|run check',
}

/** What a program answers, where a step reads it. */
const answers: Readonly<Record<string, string>> = {
  gh: `[ "$1 $2" != 'issue list' ] || echo 0`,
  docker: `printf 'stdin\\x1f%s\\n' "$(cat)" >>"$STAND_INS/calls"`,
  helm: `printf 'Pushed: x\\nDigest: sha256:${'c'.repeat(64)}\\n' >&2`,
}

/** The program itself, with the stand-ins still first in its `PATH`. */
const real = (name: string): string => `$(PATH=\${PATH//"$STAND_INS:"/} command -v ${name})`

/** Lays stand-ins into a folder, which a test puts first in `PATH`. */
export async function layStandIns(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const [name, calls] of Object.entries(never)) {
    const text = `#!/bin/bash
case "$*" in
  ${calls.replaceAll(/ /g, '\\ ')})
    (IFS=$'\\x1f'; printf '%s\\n' "${name}"$'\\x1f'"$*") >>"$STAND_INS/calls"
    ${answers[name] ?? ':'} ;;
  *) exec "${real(name)}" "$@" ;;
esac
`
    await writeFile(join(folder, name), text)
    await chmod(join(folder, name), 0o755)
  }
}

/** buildah itself, but with the base image of this machine, which has no digest of a registry. */
export async function layBuildah(folder: string, digest: string): Promise<void> {
  const text = `#!/bin/bash
(IFS=$'\\x1f'; printf '%s\\n' "buildah"$'\\x1f'"$*") >>"$STAND_INS/calls"
exec "${real('buildah')}" "\${@/@${digest}/}"
`
  await writeFile(join(folder, 'buildah'), text)
  await chmod(join(folder, 'buildah'), 0o755)
}

export async function callsIn(folder: string): Promise<readonly Call[]> {
  const text = await readFile(join(folder, 'calls'), 'utf8').catch(() => '')
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\x1f') as unknown as Call)
}
