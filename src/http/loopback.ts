/** True for loopback addresses and `localhost` (RFC 6761 §6.3). Any other name can resolve to another machine tomorrow. */
export const isLoopback = (hostname: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
