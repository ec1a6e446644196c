import { readFileSync } from 'node:fs'

const posixGroup = /(NAME 'posixGroup'[^)]*?)STRUCTURAL/s
const groupOfMembers = "objectclass ( 1.3.6.1.1.1.2.18 NAME 'groupOfMembers' SUP top STRUCTURAL MUST cn MAY ( member $ description ) )"

/**
 * The schema of RFC 2307bis for a configuration of slapd. Debian has no file of it: in Debian's schema of RFC 2307 the class posixGroup is structural. Here
 * it is auxiliary, so that a group of DNs can have a gidNumber, and groupOfMembers is a group that may be empty.
 */
export const rfc2307bis = `${readFileSync('/etc/ldap/schema/nis.schema', 'utf8').replace(posixGroup, '$1AUXILIARY')}\n${groupOfMembers}\n`
