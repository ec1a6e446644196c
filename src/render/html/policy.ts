import { type Html, html } from './html.ts'

/**
 * The content security policy of a page: no script, no file, no form; only its own style.
 *
 * @param styleHash SHA-256 of `style` in base64
 */
export const pagePolicy = (styleHash: string): Html =>
  html`default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'`
