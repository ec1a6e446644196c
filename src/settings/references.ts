import { readCertificates } from '../files/certificates.ts'
import { SecretError } from '../secrets/read.ts'
import { type Path, problemAt, type YamlDocument } from '../yaml/document.ts'
import { parseYaml } from '../yaml/parse.ts'
import type { Problem } from '../yaml/problem.ts'
import { credentialsOf } from './check.ts'
import type { LoadedSettings } from './load.ts'
import type { SecretReference } from './scalars.ts'
import { settingsSchema } from './schema.ts'

/**
 * Reads every secret and certificate that the settings name, before anything else is done. A missing one is a problem at its place in the
 * settings. `validate` does not call this, because the secrets of production are not available where the files are reviewed.
 *
 * @param read reads the value of a reference; throws `SecretError`
 * @param only the part of the settings that is used; default: all
 */
export async function brokenReferences(
  { settings, path, file, bytes }: LoadedSettings,
  read: (reference: SecretReference) => Promise<unknown>,
  only?: { readonly directories: ReadonlySet<string> },
): Promise<readonly Problem[]> {
  const { service, directories } = settings
  const problems: Problem[] = []
  // The places of settings are only parsed if there is a problem: with thousands of credentials they would fill the memory.
  let document: YamlDocument | undefined
  const at = (place: Path, message: string, cure: string | undefined) => {
    document ??= parseYaml(bytes, { file, schema: settingsSchema }).document as YamlDocument
    problems.push(problemAt(document, place, message, cure))
  }

  async function secret(place: Path, reference: SecretReference): Promise<void> {
    try {
      await read(reference)
    } catch (error) {
      if (!(error instanceof SecretError)) throw error
      at(place, error.message, error.cure)
    }
  }
  async function certificates(place: Path, file: string | undefined): Promise<void> {
    if (file === undefined) return
    const read = await readCertificates(path(file))
    if (typeof read !== 'string')
      at(place, `the certificates of ${file} cannot be read: ${read.why}`, 'name a file of certificates (PEM) that this program may read')
  }

  for (const [name, credential] of only === undefined ? Object.entries(credentialsOf(settings)) : []) {
    const place = service.credentials?.[name] === credential ? ['service', 'credentials', name] : ['service', 'credential']
    if ('apiKey' in credential) await secret([...place, 'apiKey'], credential.apiKey)
    else await secret([...place, 'oauth', 'clientSecret'], credential.oauth.clientSecret)
  }
  if (only === undefined) await certificates(['service', 'caFile'], service.caFile)
  for (const [name, directory] of Object.entries(directories)) {
    if (only?.directories.has(name) === false) continue
    const place = ['directories', name]
    switch (directory.kind) {
      case 'ldap':
        if (directory.bind !== 'anonymous') await secret([...place, 'bind', 'password'], directory.bind.password)
        await certificates([...place, 'caFile'], directory.caFile)
        break
      case 'keycloak':
        await secret([...place, 'client', 'secret'], directory.client.secret)
        await certificates([...place, 'caFile'], directory.caFile)
        break
      case 'file':
        break
      default:
        directory satisfies never
    }
  }
  return problems
}
