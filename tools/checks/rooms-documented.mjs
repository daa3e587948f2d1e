// The rooms of docs/architecture.md are those of rooms.mjs in the same order, and those are the folders of the code. No room holds too many sources.
// The walks through the code are short, and go nowhere twice.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { isForSpecs, placeOf, rooms } from './rooms.mjs';

const MOST_SOURCES = 15;

const page = readFileSync('docs/architecture.md', 'utf8');
const problems = [];

for (const [project, order] of Object.entries(rooms)) {
  const held = sourcesByFolder(project);
  for (const [folder, sources] of held) {
    if (folder !== 'src' && !order.includes(folder)) problems.push(`${project}/src/${folder} is missing in tools/checks/rooms.mjs`);
    if (sources.length > MOST_SOURCES) problems.push(`${project}/src/${folder} holds ${sources.length} sources, more than ${MOST_SOURCES}`);
  }
  for (const room of order)
    if (!held.has(room)) problems.push(`tools/checks/rooms.mjs names ${project}/src/${room}, which holds no source`);

  const shown = documented(project);
  for (const room of order) if (!shown.includes(room)) problems.push(`docs/architecture.md does not show the room ${room} of ${project}`);
  for (const room of shown) if (!order.includes(room)) problems.push(`docs/architecture.md shows ${room}, which is no room of ${project}`);
  if ([...shown].sort().join() === [...order].sort().join() && shown.join() !== order.join())
    problems.push(`docs/architecture.md shows the rooms of ${project} in another order than the lint's: ${order.join(', ')}`);
}

for (const { heading, most } of [
  { heading: 'A delete, from top to bottom', most: 30 },
  { heading: 'A rule event, from top to bottom', most: 25 },
]) {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const files = [...(section.split(/\n## /, 1)[0] ?? '').matchAll(/^\| +\d+ \| \[[^\]]+\]\(([^)]+)\)/gm)].map(([, file]) => file);
  if (files.length === 0 || files.length > most) problems.push(`docs/architecture.md: ${heading}: ${files.length} files, at most ${most}`);
  for (const [at, file] of files.entries()) if (files.indexOf(file) < at) problems.push(`docs/architecture.md: ${heading}: ${file} twice`);
}

for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length === 0) process.stdout.write(`${Object.values(rooms).flat().length} rooms, all documented\n`);
process.exitCode = problems.length === 0 ? 0 : 1;

function sourcesByFolder(project) {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', `${project}/src/*.ts`], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && existsSync(file) && !isForSpecs(file));
  const held = new Map();
  for (const file of files) {
    const { folder } = placeOf(file);
    held.set(folder, [...(held.get(folder) ?? []), basename(file)]);
  }
  return held;
}

/** The first column of the table below the project's heading. */
function documented(project) {
  const [, section = ''] = page.split(`\n### Rooms of ${project}\n`);
  return [...(section.split(/\n#+ /, 1)[0] ?? '').matchAll(/^\| \[([^\]]+)\]\(\.\.\/([^)]+)\)/gm)].map(([, room, link]) => {
    if (link !== `${project}/src/${room}`) problems.push(`docs/architecture.md: the room ${room} of ${project} links to ${link}`);
    return room;
  });
}
