const form = /^(\d{4})(\d\d)(\d\d)(\d\d)(?:(\d\d)(\d\d)?)?(?:[.,](\d{1,20}))?(?:Z|([+-])(\d\d)(\d\d)?)$/

/**
 * A generalized time (RFC 4517 §3.3.13) as epoch ms, which may have a fraction: `20270101000000Z`, `202701010130+0130`, `2027010100.5Z`. Undefined if the
 * text is none, such as a time without a zone or the 30th of February.
 */
export function generalizedTimeMs(text: string): number | undefined {
  const [, year, month, day, hour, minute, second, fraction, sign, zoneHours, zoneMinutes] = form.exec(text) ?? []
  if (year === undefined) return undefined
  const [hours, minutes, seconds] = [Number(hour), Number(minute ?? 0), Number(second ?? 0)]
  const [offsetHours, offsetMinutes] = [Number(zoneHours ?? 0), Number(zoneMinutes ?? 0)]
  // 60: a leap second.
  if (hours > 23 || minutes > 59 || seconds > 60 || offsetHours > 23 || offsetMinutes > 59) return undefined
  const date = new Date(0)
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return undefined
  // A fraction is one of the last part that is there.
  const unitMs = second !== undefined ? 1_000 : minute !== undefined ? 60_000 : 3_600_000
  const partMs = fraction === undefined ? 0 : Number(`0.${fraction}`) * unitMs
  const offsetMs = (offsetHours * 60 + offsetMinutes) * 60_000 * (sign === '-' ? -1 : 1)
  return date.getTime() + ((hours * 60 + minutes) * 60 + seconds) * 1_000 + partMs - offsetMs
}
