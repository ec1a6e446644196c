/** The package that a module comes from, with its folder; undefined for our own modules. */
export function packageOf(id: string): { readonly name: string; readonly folder: string } | undefined {
  const [folder, name] = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id) ?? []
  return folder === undefined || name === undefined ? undefined : { name, folder }
}
