import type { Project, ProjectMapping, Workspace } from '../../src/sandbox/state.ts'
import type { ProjectChange } from './spec.ts'

/** The projects of one workspace, which people change. A mapping refers to its project by id, and shows the project's current identifier. */
export type SimulatedProjects = {
  /** A change that is impossible at that time (a second project with the same identifier, for example) does nothing. */
  readonly apply: (change: ProjectChange, atMs: number) => void
  /** New mappings belong to the project that has the identifier now. */
  readonly adopt: () => void
  readonly projectOf: (mapping: string) => string | undefined
  readonly holdings: readonly Holding[]
}

/** One project under one identifier, and when. `isSeen`: the owner of the key sees it at the end of that time. */
export type Holding = {
  readonly id: string
  readonly identifier: string
  readonly fromMs: number
  /** Undefined: it still has this identifier. */
  readonly untilMs: number | undefined
  readonly isSeen: boolean
}

export function simulatedProjects(workspace: Workspace, make: (identifier: string) => Project, nowMs: number): SimulatedProjects {
  const projectOf = new Map<string, string>()
  const gone: Project[] = []
  let holdings: Holding[] = []
  const named = (identifier: string) => workspace.projects.find((one) => one.identifier === identifier)

  function adopt(): void {
    for (const { id, project } of workspace.projectMappings) {
      const owner = project === null || projectOf.has(id) ? undefined : named(project)
      if (owner !== undefined) projectOf.set(id, owner.id)
    }
  }

  function call(project: Project, identifier: string): void {
    project.identifier = identifier
    for (const one of mappingsOf(project)) one.project = identifier
  }
  const mappingsOf = ({ id }: Project): ProjectMapping[] => workspace.projectMappings.filter((one) => projectOf.get(one.id) === id)

  function apply(change: ProjectChange, atMs: number): void {
    adopt()
    changeOne(change)
    const now = workspace.projects.map(({ id, identifier, network }) => ({ id, identifier, isSeen: network === 2 }))
    const lasts = (old: Holding) =>
      old.untilMs === undefined && now.find(({ id, identifier }) => id === old.id && identifier === old.identifier)
    holdings = holdings.map((old) => {
      const still = lasts(old)
      if (old.untilMs !== undefined) return old
      return still ? { ...old, isSeen: still.isSeen } : { ...old, untilMs: atMs }
    })
    const known = new Set(holdings.flatMap(({ id, identifier, untilMs }) => (untilMs === undefined ? [`${id} ${identifier}`] : [])))
    const fresh = now.filter(({ id, identifier }) => !known.has(`${id} ${identifier}`))
    holdings.push(...fresh.map((one) => ({ ...one, fromMs: atMs, untilMs: undefined })))
  }

  function changeOne(change: ProjectChange): void {
    const project = named(change.project)
    switch (change.does) {
      case 'rename':
        if (project !== undefined && named(change.to) === undefined) call(project, change.to)
        return
      case 'swap': {
        const other = named(change.to)
        if (project === undefined || other === undefined) return
        call(project, change.to)
        call(other, change.project)
        return
      }
      case 'vanish':
        if (project === undefined) return
        workspace.projects.splice(workspace.projects.indexOf(project), 1)
        gone.push(project)
        if (change.takes) for (const one of mappingsOf(project)) workspace.projectMappings.splice(workspace.projectMappings.indexOf(one), 1)
        return
      case 'return': {
        const index = gone.findLastIndex(({ identifier }) => identifier === change.project)
        if (index >= 0 && project === undefined) workspace.projects.push(...gone.splice(index, 1))
        return
      }
      case 'make':
        if (project === undefined) workspace.projects.push(make(change.project))
        return
      case 'hide':
      case 'show':
        if (project !== undefined)
          Object.assign(project, change.does === 'hide' ? { network: 0, members: [] } : { network: 2, members: undefined })
        return
      default:
        change satisfies never
    }
  }

  adopt()
  holdings.push(...workspace.projects.map(({ id, identifier }) => ({ id, identifier, fromMs: nowMs, untilMs: undefined, isSeen: true })))
  return {
    apply,
    adopt,
    projectOf: (mapping) => projectOf.get(mapping),
    get holdings() {
      return holdings
    },
  }
}
