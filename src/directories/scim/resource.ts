import type { z } from '../../yaml/zod.ts'
import type { Ask } from '../overHttp/ask.ts'
import { pathPart } from '../overHttp/pathPart.ts'
import { otherResource } from './refusal.ts'

/** A resource to ask for. `isShown`: errors and the log show its id, which may not be so for a person. */
type Requested = { readonly kind: 'Groups' | 'Users'; readonly id: string; readonly isShown: boolean }

/** An answer that may be the resource. */
type Answered = { readonly id?: string | null | undefined }

export const resourcePath = ({ kind, id, isShown }: Requested): string => `/${kind}/${isShown ? pathPart(id) : '•••'}`

/**
 * Asks for one resource by its id (RFC 7644 §3.4.1). Each answer has the id of the resource, and case counts (RFC 7643 §3.1). A gateway may answer 200 with
 * an error, a list or an empty object. Without a check of the id that would be a group without members, or a user without a mail address.
 *
 * @param url the address of the directory, for sentences
 * @throws {DirectoryError} `otherResource` if the answer has another id, or none
 */
export async function askForResource<T extends Answered>(
  ask: Ask,
  url: URL,
  requested: Requested,
  { attributes, schema }: { readonly attributes: string; readonly schema: z.ZodType<T> },
  signal: AbortSignal,
): Promise<T> {
  const shownPath = resourcePath(requested)
  const { body } = await ask(resourcePath({ ...requested, isShown: true }), { attributes }, schema, signal, shownPath)
  if (body.id === requested.id) return body
  throw otherResource(requested.kind === 'Groups' ? 'group' : 'user', url.href.replace(/\/$/, '') + shownPath)
}
