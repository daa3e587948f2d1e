// Every relative link in a Markdown file leads to a file of this repository, and every #anchor to a heading in it. The README of a lib is
// published without the rest of the repository: it links to nothing there.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && existsSync(file));
const problems = [];
let links = 0;

for (const file of files) {
  const text = withoutCode(readFileSync(file, 'utf8'));
  for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)(?:\s+"[^"]*")?\)/g)) {
    if (/^(?:[a-z]+:|\/\/)/i.test(target)) continue;
    links += 1;
    if (/^libs\/[^/]+\/README\.md$/.test(file) && !target.startsWith('#')) problems.push(`${file}: ${target} is not in the package`);
    const [path = '', anchor] = target.split('#');
    const wanted = path === '' ? file : normalize(join(dirname(file), decodeURIComponent(path)));
    if (!existsSync(wanted)) problems.push(`${file}: ${target} does not exist`);
    else if (anchor !== undefined && statSync(wanted).isFile() && !headings(wanted).has(anchor))
      problems.push(`${file}: ${target}: no such heading`);
  }
}

for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length === 0) process.stdout.write(`${links} links in ${files.length} files lead somewhere\n`);
process.exitCode = problems.length === 0 ? 0 : 1;

function headings(file) {
  const names = new Set();
  for (const [, title = ''] of withoutCode(readFileSync(file, 'utf8')).matchAll(/^#{1,6}\s+(.+)$/gm)) {
    names.add(
      title
        .trim()
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replace(/\s/g, '-'),
    );
  }
  return names;
}

function withoutCode(text) {
  return text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');
}
