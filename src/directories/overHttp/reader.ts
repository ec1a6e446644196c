import type { Doubt } from '../../core/doubt.ts'
import type { Group, GroupIndex } from '../../core/group.ts'
import type { UnreadGroup } from '../../core/people/membersReading.ts'
import type { Reading, ReadingNote } from '../../core/reading.ts'
import { isLoopback } from '../../http/addressRanges.ts'
import type { ClientCertificate } from '../../http/connections.ts'
import type { Origin } from '../../http/origin.ts'
import type { TokenSource } from '../../http/tokenSource.ts'
import { readCaFile } from '../credentials.ts'
import { type Deadline, type DirectoryReaders, noDeadline, type ReadGroups } from '../deadline.ts'
import { DirectoryError } from '../directoryError.ts'
import type { MembershipsFound } from '../membership.ts'
import { type DirectoryApi, noWaitAsked, openApi } from './ask.ts'
import type { Explain } from './refusal.ts'

/** The environment of every directory over HTTP. */
export type HttpEnvironment = {
  readonly connect: (url: URL, trust: Trust) => Origin
  /** Called with every secret that did not come by a reference, such as a token, before it is used, so that no text shows it. */
  readonly secretSeen?: (secret: string) => void
  readonly now: () => number
  /** The machine's clock, for dates that others compare with their own clocks. */
  wall(): number
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  readonly random: () => number
}

/** `ca`: certificates (PEM) that are trusted instead of the system's. */
type Trust = { readonly ca?: string; readonly clientCertificate?: ClientCertificate }

/** The tokens of one directory, made once for it, so that a token is used in several readings. */
export type DirectoryTokens = {
  /**
   * Called at the beginning of each reading. Reads what proves the identity of the client; if it has changed, or if `ca` has, a token that was requested
   * before is dropped.
   */
  open(ca: string | undefined, signal: AbortSignal): Promise<TokenSource>
}

/** What a kind of directory over HTTP says about itself. */
type HttpDirectory = {
  /** Where its API is: all paths of requests are relative to it. */
  readonly url: URL
  /** The address in the settings, for sentences. */
  readonly address: URL
  readonly caFile?: string | undefined
  readonly allowPlaintext?: boolean | undefined
  readonly tokens: DirectoryTokens
  /** The scheme of the header `Authorization`. Default: `Bearer`. `SSWS`: API tokens of Okta. */
  readonly scheme?: 'Bearer' | 'SSWS'
  /** Sent with each request to the API; their names are lower-case. */
  readonly headers?: Readonly<Record<string, string>>
  /** Attempts of one request, and requests of one reading. `reserve`: the share of each rate limit, from 0 to 1, that is left for other programs. */
  readonly limits: { readonly attemptsMax: number; readonly requestsMax: number; readonly reserve?: number }
  readonly explain: Explain
  /** What to do if an answer is too large. Default: lower `pageSize`. */
  readonly tooLargeCure?: string
  /** Reads all groups. `missing`: why they are perhaps not all. */
  readonly groups: (api: DirectoryApi, signal: AbortSignal) => Promise<GroupsFound>
  /** Reads the members of these groups. Absent if the settings ask for none. */
  readonly members?: ((api: DirectoryApi, groups: readonly Group[], signal: AbortSignal) => Promise<MembershipsFound>) | undefined
  /** What is different while members are read. */
  readonly forMembers?: Partial<Requests>
}

/** How requests are sent, and what their errors mean. */
type Requests = Pick<HttpDirectory, 'headers' | 'limits' | 'explain' | 'tooLargeCure'>

export type GroupsFound = { readonly groups: GroupIndex; readonly missing: Doubt | undefined; readonly notes?: readonly ReadingNote[] }
export type DirectoryReader = {
  read(signal: AbortSignal, deadline?: Deadline): ReturnType<ReadGroups>
  readonly members?: DirectoryReaders['members']
}

/** A reader of a directory over HTTP. Certificates and secrets are read again at each reading. */
export function overHttp(directory: HttpDirectory, around: HttpEnvironment): DirectoryReader {
  const { url, address, tokens, scheme = 'Bearer' } = directory
  // Members are read right after groups, so they often meet a limit that the groups have used up.
  const asked = noWaitAsked()

  type Unread = { readonly unread?: ReadonlyMap<string, UnreadGroup> }
  type Found<T> = Unread & { readonly value: T; readonly missing: string | undefined; readonly notes?: readonly ReadingNote[] }
  async function reading<T>(
    ask: (api: DirectoryApi, signal: AbortSignal) => Promise<Found<T>>,
    { headers, limits, explain, ofPeople = false, tooLargeCure }: Requests & { readonly ofPeople?: boolean },
    signal: AbortSignal,
    deadline: Deadline,
  ): Promise<Reading<T> & Unread> {
    const atMs = around.now()
    const took = () => ({ atMs, tookMs: around.now() - atMs })
    let origin: Origin | undefined
    try {
      refusePlainHttp(address, directory.allowPlaintext ?? false)
      const ca = await readCaFile(directory.caFile, signal)
      const bearer = await tokens.open(ca, signal)
      origin = around.connect(url, ca === undefined ? {} : { ca })
      const api = openApi({
        ...limits,
        asked,
        origin,
        bearer,
        scheme,
        ...(headers === undefined ? {} : { headers }),
        explain,
        ofPeople,
        ...(tooLargeCure === undefined ? {} : { tooLargeCure }),
        deadline,
        now: around.now,
        wall: around.wall,
        wait: around.wait,
        random: around.random,
      })
      const { value, missing, notes = [], unread } = await ask(api, signal)
      const answered = { value, ...(notes.length === 0 ? {} : { notes }), ...(unread === undefined ? {} : { unread }), ...took() }
      return missing === undefined ? { status: 'complete', ...answered } : { status: 'partial', missing, ...answered }
    } catch (error) {
      if (signal.aborted) return { status: 'failed', why: `${address.href}: given up while it was read`, ...took() }
      if (!(error instanceof DirectoryError)) throw error
      return { status: 'failed', why: error.message, ...(error.cure === undefined ? {} : { cure: error.cure }), ...took() }
    } finally {
      await origin?.close()
    }
  }

  const { members } = directory
  return {
    read: (signal, deadline = noDeadline) =>
      reading(
        async (api, until) => {
          const { groups, ...rest } = await directory.groups(api, until)
          return { value: groups, ...rest }
        },
        directory,
        signal,
        deadline,
      ),
    ...(members && {
      // None of these directories shows when an account ends, only whether it has.
      members: (groups, _, signal, deadline) =>
        reading(
          async (api, until) => {
            const { memberships, ...rest } = await members(api, groups, until)
            return { value: memberships, ...rest }
          },
          { ...directory, ...directory.forMembers, ofPeople: true },
          signal,
          deadline,
        ),
    }),
  }
}

/** Refuses to send a secret or a token over plain http, except to this machine or if the settings allow it. @throws {DirectoryError} */
export function refusePlainHttp(url: URL, allowed: boolean): void {
  if (url.protocol === 'https:' || (url.protocol === 'http:' && (allowed || isLoopback(url.hostname)))) return
  throw new DirectoryError('insecure', `${url.origin}: a credential would travel without encryption`, {
    cure: 'use https, or set allowPlaintext: true if the network is trusted',
  })
}
