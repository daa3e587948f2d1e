import assert from 'node:assert/strict';
import {
  notParsed,
  parsed,
  parseLogicalClusterName,
  parseWorkspacePath,
  quote,
  splitWorkspacePath,
  type Parsed,
} from '@dep-ctrl/kcp-names';

const path = parseWorkspacePath('root:providers:network');
if (!path.ok) throw new Error(path.problem);

assert.deepEqual(splitWorkspacePath(path.value), { parent: 'root:providers', name: 'network' });
assert.equal(parseLogicalClusterName('root:a').ok, false); // a path is not a name

// A parser of your own answers in the same way, and its problem is one short line whatever it was given.
function parseSize(text: string): Parsed<number> {
  return /^\d+Gi$/.test(text) ? parsed(Number.parseInt(text, 10)) : notParsed(`${quote(text)} is no size such as "5Gi"`);
}
assert.deepEqual(parseSize('5Gi'), { ok: true, value: 5 });
assert.deepEqual(parseSize('5'), { ok: false, problem: '"5" is no size such as "5Gi"' });
