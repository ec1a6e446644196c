import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

const bin = join(import.meta.dirname, '../../../bin')

/** The candidates of bash for a command line, with the cursor at its end. A `|` separates words. */
async function inBash(line: string): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'completion-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await Promise.all(['plan.json', 'a plan.json', 'other'].map((name) => writeFile(join(folder, name), '')))
  await writeFile(join(folder, 'config.yaml'), 'version: 1\nworkspaces: { acme: {}, labs: { slug: labs-stg }, "two words": {} }\n')
  await writeFile(join(folder, 'second.yaml'), '# not valid as settings, but its workspaces can be read\nworkspaces:\n  shop: {}\n')
  await writeFile(join(folder, 'broken.yaml'), 'workspaces: { shop: {}')
  // bash splits at COMP_WORDBREAKS, as readline does.
  const script = `
    source <(plane-group-sync completion bash)
    complete -p plane-group-sync >/dev/null
    IFS='|' read -ra COMP_WORDS <<< "$LINE_TO_COMPLETE"
    [[ $LINE_TO_COMPLETE == *'|' ]] && COMP_WORDS+=('')
    COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 ))
    _plane_group_sync
    printf '%s\n' "\${COMPREPLY[@]}"`.replaceAll('\\$', '$')
  const { PATH = '', HOME = '' } = process.env
  const { stdout, stderr } = await promisify(execFile)('bash', ['--noprofile', '--norc', '-c', script], {
    cwd: folder,
    env: { PATH: `${bin}:${PATH}`, HOME, LINE_TO_COMPLETE: line },
  })
  expect(stderr).toBe('')
  return stdout.split('\n').filter((one) => one !== '')
}

test.each([
  ['plane-group-sync|pl', ['plan']],
  ['plane-group-sync|plan|--form', ['--format']],
  ['plane-group-sync|plan|--format|', ['text', 'json', 'markdown']],
  ['plane-group-sync|plan|--format|=|m', ['markdown']],
  ['plane-group-sync|-q|sche', ['schema']],
  [
    'plane-group-sync|schema|',
    [
      'declaration',
      'settings',
      'fences',
      'plan',
      'applied',
      'groups',
      'who',
      'explain',
      'report',
      'validate',
      'status',
      'doctor',
      'last',
      'recording',
      'notice',
    ],
  ],
  ['plane-group-sync|apply|p', ['plan.json']],
  ['plane-group-sync|apply|a', ['a plan.json']],
  ['plane-group-sync|plan|--out|=|o', ['other']],
  ['plane-group-sync|plan|--allow|', []],
  ['plane-group-sync|plan|-w|', ['acme', 'labs']],
  ['plane-group-sync|explain|', ['acme', 'labs']],
  ['plane-group-sync|explain|acme|a', ['allProjects']],
  ['plane-group-sync|plan|-w|acme|-w|', ['labs']],
  ['plane-group-sync|export|--workspace|=|la', ['labs']],
  ['plane-group-sync|-c|second.yaml|plan|-w|', ['shop']],
  ['plane-group-sync|plan|--config|broken.yaml|-w|', []],
  ['plane-group-sync|plan|--config|missing.yaml|-w|', []],
  ['plane-group-sync|plan|--config|-|-w|', []],
])('bash completes %s', async (line, expected) => expect(await inBash(line)).toEqual(expected))
