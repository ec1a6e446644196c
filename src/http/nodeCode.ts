/** The code of an error of Node, such as `ERR_OSSL_UNSUPPORTED`. Unlike the message, it has no content of a file. */
export const nodeCodeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'no code'
