// Whether something printed what a document shows. Pure.

/** The first shown line that was not printed where it should be; undefined: everything was, and nothing else, but where the document has `...`. */
export function firstDifference(shown: string, printed: string): string | undefined {
  const wanted = shown.split('\n').map(comparable).filter(isText);
  const got = printed.split('\n').map(comparable).filter(isText);
  let at = 0;
  let mayPass = false;
  for (const line of wanted) {
    if (line === '...') {
      mayPass = true;
      continue;
    }
    const found = mayPass ? got.indexOf(line, at) : got[at] === line ? at : -1;
    if (found === -1) return `expected ${JSON.stringify(line)}, got ${JSON.stringify(got[at] ?? 'nothing more')}`;
    at = found + 1;
    mayPass = false;
  }
  const surplus = got[at];
  return surplus === undefined || mayPass ? undefined : `got more than is shown: ${JSON.stringify(surplus)}`;
}

/** A line without what differs from one run to the next: names of logical clusters, ages, addresses, the width of columns, and checks still to come. */
function comparable(line: string): string {
  return line
    .trim()
    .replaceAll(/(?<=\broot[a-z0-9:-]* )\([a-z0-9]{12,20}\)/g, '(CLUSTER)')
    .replaceAll(/https:\/\/127\.0\.0\.1:\d+/g, 'https://KCP')
    .replaceAll(/(?<= )\d+(?:ms|s|m\d*s?)(?= |$)/g, 'AGE')
    .replace(/, but not checked yet$/, '')
    .replaceAll(/ +/g, ' ');
}

function isText(line: string): boolean {
  return line !== '';
}
