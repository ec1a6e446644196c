import { checkedList } from '../../http/checkedList.ts'
import { z } from '../../yaml/zod.ts'

const Reason = z.object({ reason: z.string().optional() })
const ErrorBody = z.object({
  error: z.object({
    status: z.string().optional(),
    errors: checkedList(Reason).optional(),
    details: checkedList(Reason).optional(),
  }),
})

/**
 * The reasons in an error of Google: `errors[].reason` of the older form, `status` and `details[].reason` of the newer one. Empty for another body.
 * Source: https://developers.google.com/workspace/admin/directory/v1/limits and https://cloud.google.com/apis/design/errors
 */
export function reasonsIn(body: unknown): ReadonlySet<string> {
  const parsed = ErrorBody.safeParse(body)
  if (!parsed.success) return new Set()
  const { status, errors = [], details = [] } = parsed.data.error
  return new Set([status, ...errors.map(({ reason }) => reason), ...details.map(({ reason }) => reason)].filter((one) => one !== undefined))
}
