import { existsSync } from 'node:fs'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { openPlace, type Place } from '../program.ts'
import { type PullRequest, tenRequests } from './tenRequests.ts'

/* What reviewers read of ten pull requests: the comment as GitHub shows it, by a parser of the same specification. */

const company = fileURLToPath(new URL('../../../../config/example-company', import.meta.url))
const ofCompany = async (name: string) => parse(await readFile(`${company}/${name}`, 'utf8'))

let place: Place
/** The company as declared, but for three edits by hand in Plane. Of the second recording the directory has lost most groups. */
beforeAll(async () => {
  const { service: _, ...settings } = await ofCompany('config.yaml')
  place = await openPlace({ workspaces: (await ofCompany('service.yaml')).workspaces, settings, declaration: '', groups: [] })
  await place.write('config.yaml', { ...JSON.parse(await place.read('config.yaml')), workspaces: settings.workspaces })
  await cp(`${company}/groups`, place.path('groups'), { recursive: true })
  await cp(`${company}/directory.yaml`, place.path('directory.yaml'))
  expect((await place.start(['apply', '--yes', '--quiet']).ended).code).toBe(3)
  const { projectMappings = [] } = place.sandbox.state.workspaces.product ?? {}
  const indexOf = (group: string, project: string) =>
    projectMappings.findIndex((mapping) => mapping.idp_group_name === group && mapping.project === project)
  for (const [group, project, role] of [
    ['team-search', 'SEARCHDOC', 'admin'],
    ['team-web-leads', 'WEBQA', 'member'],
  ] as const) {
    const mapping = projectMappings[indexOf(group, project)]
    if (mapping !== undefined) mapping.role = role
  }
  projectMappings.splice(indexOf('team-maps', 'MAPSQA'), 1)
  expect(await place.run(['record', '--out', 'whole.json'])).toMatchObject({ code: 0 })
  const [comment = '', list = '', ...groups] = (await place.read('directory.yaml')).split('\n')
  await place.write('directory.yaml', [comment, list, ...groups.slice(0, 9)].join('\n'))
  expect((await place.run(['record', '--out', 'incomplete.json'])).code).toBe(1)
})
afterAll(() => place[Symbol.asyncDispose]())

async function planOf({ name, edits, incomplete }: PullRequest) {
  await cp(`${company}/groups`, place.path(name), { recursive: true })
  for (const [file, edit] of Object.entries(edits)) {
    const path = place.path(`${name}/${file}`)
    await writeFile(path, edit(existsSync(path) ? await readFile(path, 'utf8') : ''))
  }
  const recording = incomplete === true ? 'incomplete.json' : 'whole.json'
  const plan = (format: string) =>
    place.run(['plan', '--recorded', recording, '--declaration', name, '--base', place.path('groups'), '-o', format])
  const [markdown, json] = await Promise.all([plan('markdown'), plan('json')])
  return { code: markdown.code, markdown: markdown.out, document: JSON.parse(json.out) as Document }
}

type Document = {
  readonly workspaces: readonly { readonly workspace: string; readonly counts: Readonly<Record<string, number>> }[]
}

const htmlOf = (markdown: string) => micromark(markdown, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] })
const signs: Readonly<Record<string, string>> = { '&quot;': '"', '&lt;': '<', '&gt;': '>', '&amp;': '&', '\u200B': '' }
const textOf = (html: string) =>
  html
    .replaceAll(/<\/?(?:code|strong)>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(?:quot|lt|gt|amp);|\u200B/g, (sign) => signs[sign] ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim()
/** What is read without a click. */
const openTextOf = (html: string) => textOf(html.replaceAll(/<details><summary>.*?<\/details>/gs, ' '))

/** The tables, each as the cells of its rows; the first row has the titles. */
const tablesOf = (html: string) =>
  [...html.matchAll(/<table>.*?<\/table>/gs)].map(([one]) =>
    [...one.matchAll(/<tr>.*?<\/tr>/gs)].map(([row]) => [...row.matchAll(/<t[hd]>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => textOf(cell))),
  )

const tags =
  /<\/?(?:p|h3|strong|code|pre|sub|details|summary|blockquote|table|thead|tbody|tr|th|td)>|<details open>|<code class="language-sh">/g

/** The numbers of a title, by their words: `2 create (1 protected), 3 need approval (3 raise)`. */
const numbersOf = (title: string) =>
  [
    ...title
      .replaceAll(/\([^)]*\)/g, '')
      .matchAll(/([\d,]+) (create|raise|lower|delete|held|kept|undeclared|later|unchanged|needs? approval)/g),
  ].map(([, number = '', word = '']) => [word.includes('approval') ? 'waiting' : word, Number(number.replaceAll(',', ''))] as const)

test.each(tenRequests.map((request) => [request.name, request] as const))('%s', async (_, request) => {
  const { code, markdown, document } = await planOf(request)
  expect(code).toBe(request.code)
  expect(markdown.length).toBeLessThanOrEqual(60_000)
  const html = htmlOf(markdown)

  const read = openTextOf(html)
  expect(read.slice(0, request.first.length)).toBe(request.first)
  let rest = read
  for (const text of request.says) {
    expect(rest).toContain(text)
    rest = rest.slice(rest.indexOf(text) + text.length)
  }

  expect(html.replaceAll(tags, '')).not.toMatch(/[<>]/)
  expect(html.replaceAll(/<code.*?<\/code>/gs, '')).not.toContain('|')
  for (const [titles = [], ...rows] of tablesOf(html)) {
    expect(rows.filter((row) => row.length !== titles.length)).toEqual([])
    const protectedRows = rows.map(([sign]) => sign === '‼')
    expect(protectedRows).toEqual(protectedRows.toSorted((a, b) => Number(b) - Number(a)))
    // A column in which no row says anything takes room from the others.
    expect(titles.filter((__, column) => rows.every((row) => row[column] === ''))).toEqual([])
  }

  for (const [, workspace = '', title = ''] of html.matchAll(/<h3><code>(.*?)<\/code>: (.*?)<\/h3>/g)) {
    const { counts = {} } = document.workspaces.find((one) => one.workspace === workspace) ?? {}
    for (const [word, number] of numbersOf(title)) expect([workspace, word, number]).toEqual([workspace, word, counts[word]])
  }
})
