/** `change` is another name for `notice`. */
export const logLevels = ['debug', 'info', 'notice', 'change', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** `auto`: pretty on a terminal, JSON elsewhere. */
export const logFormats = ['auto', 'json', 'pretty'] as const
export type LogFormat = (typeof logFormats)[number]
