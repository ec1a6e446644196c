import { type Filter, FilterParser } from 'ldapts'
import { messageOf } from '../../core/errorText.ts'

/** Why a text is not an LDAP filter, as a clause. */
export type FilterFault = { readonly fault: string }

/** How to write a filter. */
export const filterCure =
  'write it as RFC 4515 says, on one line and without blanks between the parts, with ( ) * \\ inside values as \\28 \\29 \\2a \\5c'

/** Reads a filter as it will be sent. */
export function filterFrom(text: string): Filter | FilterFault {
  // ldapts reads `(&(cn=a)` as `(&(cn=a))`.
  if (text.split('(').length !== text.split(')').length) return { fault: 'a parenthesis is missing' }
  try {
    return FilterParser.parseString(text)
  } catch (error) {
    return { fault: faultOf(messageOf(error)) }
  }
}

/** The library's message repeats the filter. */
function faultOf(message: string): string {
  if (/cannot be empty/.test(message)) return 'it is empty'
  if (/Illegal unescaped/.test(message)) return 'a parenthesis or an asterisk inside a value is not escaped'
  if (/escaped hex/.test(message)) return 'a backslash is not followed by two hex digits'
  if (/attribute name/i.test(message)) return 'the name of an attribute is missing, or has a character that it cannot have'
  if (/expression/.test(message)) return 'a part of it is not written as (attribute=value)'
  return 'its parentheses do not match'
}
