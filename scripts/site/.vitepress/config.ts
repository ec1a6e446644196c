import { readFileSync } from 'node:fs'
import { groups } from '../pages.ts'
import { anchorOf } from '../stage.ts'

/** The settings of VitePress. `npm run site` puts the pages into `coverage/pages` first. */
const staged = new URL('../coverage/pages/', import.meta.url)
const titleOf = (name: string): string => /^# (.+)$/m.exec(readFileSync(new URL(`${name}.md`, staged), 'utf8'))?.[1] ?? name
const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { readonly version: string }

/** The default theme has too little contrast for the name of a language, and shows keys that the accessible name of the search lacks (WCAG 1.4.3, 2.5.3). */
const style = `
:root .vp-doc [class*='language-'] > span.lang { color: var(--vp-c-text-2) }
:root .DocSearch-Button-Keys { display: none }
`

export default {
  lang: 'en',
  head: [
    ['style', {}, style],
    // Without an icon a browser asks for /favicon.ico, which is not there.
    ['link', { rel: 'icon', href: 'data:,' }],
  ],
  title: 'plane-group-sync',
  description: 'Keeps the group mappings of Plane workspaces equal to what a YAML file in git declares',
  /** The path below which the site is served. */
  base: process.env['SITE_BASE'] ?? '/',
  srcDir: 'coverage/pages',
  outDir: '../../site',
  cacheDir: 'coverage/cache',
  metaChunk: true,
  markdown: {
    // Pages have no HTML of their own. So a name in angle brackets is text.
    html: false,
    anchor: { slugify: anchorOf },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  themeConfig: {
    siteTitle: `plane-group-sync ${version}`,
    search: { provider: 'local' },
    sidebar: groups.map(({ title, pages }) => ({
      text: title,
      items: pages.map((name) => ({ text: name === 'index' ? 'What it is' : titleOf(name), link: name === 'index' ? '/' : `/${name}` })),
    })),
    outline: [2, 3],
    docFooter: { prev: 'Before', next: 'Next' },
    externalLinkIcon: true,
  },
}
