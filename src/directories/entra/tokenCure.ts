const certificate =
  'upload the certificate to the app registration (Certificates & secrets), and name the same one in client.privateKey.certificateFile'
const federated =
  'compare the federated credential of the app registration with the JWT in client.assertion: issuer, subject and audience must be equal, letter by letter'

/**
 * What to do after an error of the token endpoint, by its number (learn.microsoft.com/entra/identity-platform/reference-error-codes). The page says that
 * programs must not depend on the numbers: only the words of the cure do.
 */
const cures: Readonly<Record<string, string>> = {
  '7000215': 'the secret is wrong: write the value of the client secret into the file, not its id (Certificates & secrets)',
  '7000222': 'the secret has expired: make a new one in the app registration (Certificates & secrets), and write its value into the file',
  '700016': 'the tenant has no such application: check client.id, the application (client) id, and tenant',
  '7000112': 'the application is disabled: enable it under Enterprise applications, Properties',
  '7000229': 'the tenant has no account of this application: let an administrator consent to its permissions',
  '90002': 'there is no such tenant: check tenant and cloud',
  '900021': 'there is no such tenant: check tenant and cloud',
  '900023': 'there is no such tenant: check tenant and cloud',
  '900382': 'the tenant is in another cloud: check cloud',
  '500011': 'the tenant does not know this Microsoft Graph: check cloud',
  '700024': 'check that the clock of this machine is right, and that the file of client.assertion is renewed before its JWT expires',
  '700027': certificate,
  '70021': federated,
  '700211': federated,
  '700212': federated,
  '700213': federated,
  '53003': 'a Conditional Access policy for workload identities blocks the application: allow it from the address of this machine',
}

/** @param said the server's `error` and `error_description`: `invalid_client: AADSTS7000215: Invalid client secret provided. …` */
export function tokenCure(said: string): string | undefined {
  const [, number = ''] = /\bAADSTS(\d{5,8})\b/.exec(said) ?? []
  return Object.hasOwn(cures, number) ? cures[number] : undefined
}
