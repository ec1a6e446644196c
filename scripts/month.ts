import { join } from 'node:path'
import { events } from './month/events.ts'
import { openStage } from './month/stage.ts'

/**
 * Prints docs/month.md: a month of a company, with what people edit and type, and what waits for whom. The sandbox stands for Plane, a file for the
 * directory, and the clock of all processes is moved from event to event.
 */
for (const [name, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  process.once(name, () => process.exit(code))
process.chdir(join(import.meta.dirname, '..'))
const out = (text: string) => void process.stdout.write(text)
out(`# A month of a company

What does a person do when contracts end, when a department gets other names, when a commit is wrong? \`npm run month\` plays such a month on this
machine, and prints this page: the edits, the commands that are typed, and what the program answers.

The company has one workspace, 500 groups, and 41 files: one for each of 39 teams, inside a [fence](fences.md), and two of the platform team. Policy and
[guards](guards.md) are the defaults. One daemon runs all the time. It takes up an edit by itself, so most events need no command. The sandbox stands for
Plane, and the script moves the clock from day to day.

What exceeds a limit, or has no fence yet, waits for a person, and the last table says for whom. The rest goes on at once, also on the day after a
reorganisation.

`)
const rows: string[] = []
await using stage = await openStage(out)
for (const { title, moment, happens } of events) {
  await stage.pass(moment)
  await stage.taken()
  out(`## ${title}\n*${moment.replace('T', ' ').replace('Z', ' UTC')}*\n\n`)
  const beganMs = performance.now()
  const waited = await happens(stage)
  const seconds = Math.round((performance.now() - beganMs) / 1_000)
  const { commands, writes } = await stage.taken()
  const [what, forWhom] = waited === 'nothing' ? ['nothing', ''] : [waited.what, waited.forWhom]
  rows.push(`| ${title} | ${commands} | ${writes} | ${seconds} s | ${what} | ${forWhom} |`)
}
out(`## The month in one table
The seconds are those of one machine, from the first edit to the last write, without the days between. The script asks the daemon to look at each edit at
once (\`SIGHUP\`); by itself it looks every few seconds. The sandbox takes 6,000 requests a minute. Plane takes 60: there the 217 renames take four minutes.

| event | commands | writes | done after | what waited | for whom |
|---|---|---|---|---|---|
${rows.join('\n')}
`)
