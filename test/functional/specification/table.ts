import { sections as authentication } from './authentication.ts'
import { sections as creating } from './creating.ts'
import { sections as endpoints } from './endpoints.ts'
import { sections as errors } from './errors.ts'
import { sections as limits } from './limits.ts'
import { sections as lists } from './lists.ts'
import { sections as mappings } from './mappings.ts'
import { sections as pagination } from './pagination.ts'
import { sections as projection } from './projection.ts'
import type { Section } from './row.ts'
import { sections as service } from './service.ts'
import { sections as texts } from './texts.ts'

/** The specification, line by line. The name of each file in this folder tells its sections. */
export const table: readonly { readonly file: string; readonly sections: readonly Section[] }[] = [
  { file: 'service.ts', sections: service },
  { file: 'mappings.ts', sections: mappings },
  { file: 'endpoints.ts', sections: endpoints },
  { file: 'creating.ts', sections: creating },
  { file: 'texts.ts', sections: texts },
  { file: 'lists.ts', sections: lists },
  { file: 'pagination.ts', sections: pagination },
  { file: 'projection.ts', sections: projection },
  { file: 'authentication.ts', sections: authentication },
  { file: 'errors.ts', sections: errors },
  { file: 'limits.ts', sections: limits },
]
