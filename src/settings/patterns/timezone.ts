import { anyCase, type Keywords, oneOf, withHint } from './text.ts'

/**
 * The shape of an IANA time zone name (https://www.iana.org/time-zones). `Intl` decides which zones exist, but it also accepts misleading
 * abbreviations: for ICU `BST` is Bangladesh.
 */
const areas = words('Africa America Antarctica Arctic Asia Atlantic Australia Brazil Canada Chile Etc Europe Indian Mexico Pacific US')
/** Names without an area. */
const single = words(
  'UTC GMT UCT Zulu Universal Greenwich GMT0 CET EET MET WET EST MST HST EST5EDT CST6CDT MST7MDT PST8PDT Cuba Egypt Eire GB GB-Eire Hongkong Iceland Iran Israel Jamaica Japan Kwajalein Libya Navajo NZ NZ-CHAT Poland Portugal PRC ROC ROK Singapore Turkey W-SU',
)
const offset = `[+-](?:[01]\\d|2[0-3])(?::?[0-5]\\d)?`
const place = '[A-Za-z][A-Za-z0-9_+-]*'

const shape = `^(?:${oneOf(areas)}(?:/${place}){1,2}|${oneOf(single)}|[Gg][Mm][Tt][+-]0|${offset})$`
const looks = new RegExp(shape, 'u')

export const isZoneShaped = (text: string): boolean => looks.test(text)

export const timezoneKeywords: Keywords = {
  pattern: '^[A-Za-z0-9/_:+-]+$',
  ...withHint({ pattern: shape }, 'an IANA name, as UTC, Europe/Berlin or America/New_York'),
}

function words(text: string): readonly string[] {
  return text.split(' ').map(anyCase)
}
