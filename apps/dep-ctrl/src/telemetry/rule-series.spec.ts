import { describe, expect, it } from '@jest/globals';
import type { LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import { ruleKeyOf } from '@dep-ctrl/rule-registry';
import { Counter, Registry } from 'prom-client';
import { RuleSeries } from './rule-series.js';

const DENIED = { verdict: 'deny' };
const ALLOWED = { verdict: 'allow' };

describe(RuleSeries, () => {
  it('given an author whose rules refuse in turn, then ten have a series, and the others one together', async () => {
    const stage = start();

    for (let count = 0; count < 1_000; count += 1) stage.series.count(DENIED, rule('evil', `rule-${count % 500}`));
    stage.series.count(DENIED, rule('honest', 'vms'));

    const values = await stage.values();
    expect(values).toHaveLength(12);
    expect(values).toEqual(
      expect.arrayContaining([
        { verdict: 'deny', rule: 'evil/rule-0', value: 2 },
        { verdict: 'deny', rule: 'honest/vms', value: 1 },
        { verdict: 'deny', rule: 'other', value: 980 },
      ]),
    );
  });

  it('given any number of authors, then there are at most a thousand series, and a newcomer among dozens that take all they get has its own', async () => {
    const stage = start();
    for (let author = 0; author < 90; author += 1)
      for (let index = 0; index < 20; index += 1) stage.series.count(DENIED, rule(`evil${author}`, `r${index}`));

    stage.series.count(DENIED, rule('honest', 'vms'));
    for (let author = 0; author < 1_000; author += 1) stage.series.count(DENIED, rule(`more${author}`, 'r'));

    const values = await stage.values();
    expect(values.map((each) => each.rule)).toContain('honest/vms');
    expect(values.length).toBeLessThanOrEqual(1_001);
  });

  it('given a workspace that is called otherwise again and again, then its series stay as few', async () => {
    const stage = start();

    for (let index = 0; index < 100; index += 1)
      stage.series.count(DENIED, { ...rule('evil', 'vms'), path: `root:evil-${index}` as WorkspacePath });

    expect(await stage.values()).toHaveLength(11);
  });

  it('given a rule that is gone, then so are all its series, and there is room for another', async () => {
    const stage = start();
    for (let index = 0; index < 10; index += 1)
      for (const labels of [DENIED, ALLOWED]) stage.series.count(labels, rule('author', `rule-${index}`));
    stage.series.count(ALLOWED, undefined);

    stage.series.keepOnly(new Set([ruleKeyOf('author' as LogicalClusterName, 'rule-3')]));
    stage.series.count(DENIED, rule('author', 'new'));

    expect(await stage.values()).toEqual([
      { verdict: 'deny', rule: 'author/rule-3', value: 1 },
      { verdict: 'allow', rule: 'author/rule-3', value: 1 },
      { verdict: 'allow', rule: '', value: 1 },
      { verdict: 'deny', rule: 'author/new', value: 1 },
    ]);
  });
});

function rule(cluster: string, name: string) {
  return { cluster: cluster as LogicalClusterName, name };
}

function start() {
  const counter = new Counter({ name: 'x', help: 'x', labelNames: ['verdict', 'rule'], registers: [new Registry()] });
  return {
    series: new RuleSeries(counter),
    values: async () => (await counter.get()).values.map(({ labels, value }) => ({ ...labels, value })),
  };
}
