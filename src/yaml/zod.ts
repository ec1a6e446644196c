import { z } from 'zod'

// Without this zod compiles parsers with `new Function`, which hardened runtimes refuse.
z.config({ jitless: true })

export { z }
