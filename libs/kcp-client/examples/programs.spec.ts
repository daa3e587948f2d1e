import { EmbeddedKcp } from '@dep-ctrl/embedded-kcp';
import { describe, expect, it } from '@jest/globals';
import { printedBy } from '../src/spec-support/run-program.js';
import { Scratch } from '../src/spec-support/scratch.js';

describe('programs for any kcp', () => {
  it.each([
    {
      name: 'connect-and-reflect',
      says: /^true\ncannot get configmaps "other" in namespace "default" in "root" at .*: 404 NotFound: .*\n$/u,
    },
    { name: 'generated-api', says: /^\[[^\]]*'default'[^\]]*\]\nfalse\n$/u },
  ])(
    'given a kcp, when $name runs, then it prints what its comments say',
    async ({ name, says }) => {
      const kcp = await EmbeddedKcp.start({ delays: 'fast' });
      using scratch = new Scratch();
      const KUBECONFIG = scratch.write('admin.kubeconfig', kcp.kubeconfig());

      const printed = await printedBy(new URL(`${name}.ts`, import.meta.url), { KUBECONFIG });
      await kcp.stop();

      expect(printed).toMatch(says);
    },
    60_000,
  );
});
