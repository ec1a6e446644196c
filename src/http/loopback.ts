/** Numbers and `localhost` (RFC 6761 §6.3) only: any other name may resolve to loopback today and elsewhere tomorrow. */
export const isLoopback = (hostname: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
