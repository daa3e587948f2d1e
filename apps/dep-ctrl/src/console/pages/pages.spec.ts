import { describe, expect, it } from '@jest/globals';
import { typeName } from '../../graph/part-of-graph.js';
import type { TypeGraph } from '../../graph/type-graph.js';
import { decisionsPage } from './decisions-page.js';
import { deletePage, type DeleteQuestion, type ToldDelete } from './delete-page.js';
import { graphPage } from './graph-page.js';
import { address, breakable, html, trusted } from './html.js';
import { renderPage, type Page } from './page.js';
import { rulesPage } from './rules-page.js';
import { deepChain, manyDecisions, manyTypes, pagesOf, statusOf, waitingTeardown } from '../spec-support/many-types.js';
import { statusPage } from './status-page.js';
import { teardownPage } from './teardown-page.js';

const FRAME = { depCtrl: '0.1.0', server: 'https://kcp.example.com', context: 'admin' };
const EVIL = `"'><script>alert(1)</script><img src=x onerror=alert(1)>&\u202e`;

/** The text as a person reads it. */
const textOf = ({ content, fixed }: Page): string =>
  `${fixed?.text ?? ''} ${content.text}`.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

/** All texts of a value made evil. */
function evil<T>(value: T): T {
  if (typeof value === 'string') return (/^[A-Z]?[a-z-]{2,12}$/.test(value) ? value : `${value}${EVIL}`) as T;
  if (Array.isArray(value)) return value.map((each: unknown) => evil(each)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, /^(at|.*At|.*Until|id|from|to)$/.test(key) ? each : evil<unknown>(each)]),
  ) as T;
}

describe(html, () => {
  it('given texts, numbers, pieces and nothing, then texts are escaped and pieces are not', () => {
    expect(html`<p>${'<b>&"'} ${1} ${html`<i>${"'"}</i>`} ${undefined} ${[trusted('<u>'), 'x']}</p>`.text).toBe(
      '<p>&#60;b&#62;&#38;&#34; 1 <i>&#39;</i>  <u>x</p>',
    );
  });
});

describe(address, () => {
  it('given what is asked, then it is encoded, and what is empty is left out', () => {
    expect(address('graph', { of: 'root:a/x.io', search: '', hops: undefined })).toBe('graph?of=root%3Aa%2Fx.io');
    expect(address('./')).toBe('./');
  });
});

describe(breakable, () => {
  it('given a name, then it may break behind its parts', () => {
    expect(breakable('root:a/vms.x.io').text).toBe('root:<wbr />a/<wbr />vms.<wbr />x.<wbr />io');
  });
});

describe(renderPage, () => {
  it('given hostile names everywhere, then no page holds an element or attribute of theirs', async () => {
    const graph: TypeGraph = evil(manyTypes(3));
    const question: DeleteQuestion = { workspace: EVIL, object: EVIL, namespace: EVIL, type: EVIL, search: EVIL };
    const told: readonly ToldDelete[] = [
      { state: 'told', chain: evil(deepChain()) },
      { state: 'failed', why: EVIL },
      { state: 'names', names: { names: [{ namespace: EVIL, name: EVIL }], lookedAt: 1, isCut: true } },
      { state: 'types', types: [{ group: EVIL, resource: EVIL }], guarded: new Set() },
    ];
    const { view } = statusOf(manyTypes(50));
    const pages = [
      statusPage({ view: evil(view), wrong: EVIL }),
      rulesPage(evil(view), { search: '', show: 'all' }),
      await graphPage(graph, { of: '', search: '', hops: 2, size: 'full' }),
      await graphPage(graph, { of: EVIL, search: EVIL, hops: 2, size: 'full' }),
      decisionsPage({ state: 'read', decisions: evil(manyDecisions(3)), replicas: 1 }, { search: '', verdict: 'all' }),
      decisionsPage({ state: 'unread', why: EVIL }, { search: EVIL, verdict: 'all' }),
      ...told.map((each) => deletePage(question, each)),
      teardownPage(EVIL, { state: 'told', teardown: evil(waitingTeardown()) }),
    ].map((page) => renderPage(page, evil(FRAME)));

    for (const page of pages) {
      expect(page).not.toMatch(/<script>|<img|\u202e/);
      expect(page.match(/<script[^>]*>/g)).toEqual(['<script src="script.js" defer>']);
      expect(page.replaceAll(/"[^"]*"/g, '')).not.toMatch(/<[^>]*onerror/);
    }
  });

  it('given any page, then it has one heading of the first level, marks its view, and asks for nothing elsewhere', async () => {
    for (const make of Object.values(pagesOf(manyTypes(3)))) {
      const page = renderPage(await make({}, AbortSignal.abort()), FRAME);

      expect(page.match(/<h1>/g)).toHaveLength(1);
      expect(page.match(/aria-current="page"/g)).toHaveLength(1);
      expect(page.match(/(?:href|src|action)="(?:https?:|\/)/g)).toBeNull();
      expect(page).not.toMatch(/ style="|<style| on[a-z]+="/);
    }
  });
});

describe(statusPage, () => {
  it('given more that is wrong or was not looked at than anybody reads, then the first 20 of each are shown, and the page says of how many', () => {
    const { view, wrong } = statusOf(manyTypes(500));
    const notLookedAt = Array.from({ length: 30 }, (_, at) => ({
      ...{ id: 'rule-ready', where: `here-${String(at)}`, why: 'it is hidden', because: 'refused' as const },
    }));

    const page = statusPage({ view: { ...view, notLookedAt }, wrong });

    expect(page.content.text.match(/is not ready \(NotBound\)/g)).toHaveLength(20);
    expect(page.content.text.match(/it is hidden/g)).toHaveLength(20);
    expect(textOf(page)).toContain('The first 20 of 45.');
    expect(textOf(page)).toContain('The first 20 of 30.');
  });
});

describe(rulesPage, () => {
  const { view } = statusOf(manyTypes(500));

  it('given 500 rules, then what is not well comes first with what helps, and the first 100 are shown', () => {
    const { content, summary } = rulesPage(view, { search: '', show: 'all' });

    const rows = content.text.split('<h2>')[1]?.match(/<th scope="row">/g);
    expect(rows).toHaveLength(100);
    expect(summary).toBe('500 rules, 45 not ready or not in force.');
    const [, first = ''] = content.text.split('<th scope="row">');
    expect(first).toContain('not ready');
    expect(first).toContain('dep-ctrl bind root:providers:netwrok --kubeconfig admin.kubeconfig');
    expect(textOf({ content } as Page)).toContain('The first 100 of 500.');
  });

  it('given a word, then the rules and workspaces that hold it are shown', () => {
    const text = textOf(rulesPage(view, { search: 'provider-31/MACHINES', show: 'all' }));

    expect(text).toContain('machines31-dependencies');
    expect(text).not.toContain('machines30-dependencies');
    expect(text).toContain('No workspace is like that.');
  });

  it('given what is not well alone, then a workspace with a foreign configuration is among it', () => {
    const text = textOf(rulesPage(view, { search: '', show: 'not-well' }));

    expect(text).toContain('somebody else');
    expect(text).not.toMatch(/ready yes/);
  });
});

describe(graphPage, () => {
  const ask = { of: '', search: '', hops: 2, size: 'full' } as const;

  it.each([
    { given: 'a few types', count: 3, question: ask, isDrawn: true, says: 'Choose a type' },
    { given: '500 types', count: 500, question: ask, isDrawn: false, says: '500 types are too many' },
    { given: 'a word of few', count: 500, question: { ...ask, search: 'machines31' }, isDrawn: true, says: '1 type found' },
    { given: 'a word of nothing', count: 500, question: { ...ask, search: 'nothing' }, isDrawn: false, says: '0 types found' },
    {
      given: 'a type that is gone',
      count: 3,
      question: { ...ask, of: 'root:a/x.io' },
      isDrawn: false,
      says: 'No rule names root:a/x.io any more',
    },
    { given: 'no rule', count: 0, question: ask, isDrawn: false, says: 'There is no rule' },
  ])('given $given, then the picture is there or the page says why not', async ({ count, question, isDrawn, says }) => {
    const page = await graphPage(manyTypes(count), question);

    expect(page.content.text.includes('<svg')).toBe(isDrawn);
    expect(textOf(page)).toContain(says);
  });

  it('given more types than labels can be read of, then the picture is without them and fits the page, unless somebody wants it larger', async () => {
    const [few, many, large] = await Promise.all([
      graphPage(manyTypes(3), { ...ask, size: undefined }),
      graphPage(manyTypes(50), { ...ask, size: undefined }),
      graphPage(manyTypes(50), ask),
    ]);

    expect([few, many, large].map(({ content }) => /class="picture (\w+)"/.exec(content.text)?.[1])).toEqual(['full', 'fit', 'full']);
    expect([few, many].map(({ content }) => content.text.includes('<text class="label"'))).toEqual([true, false]);
    expect(many.content.text.match(/<text class="name"/g)).toHaveLength(50);
  });

  it('given a type, then what is around it is drawn, as far as was asked', async () => {
    const of = 'root:providers:provider-31/machines31.provider-31.example.com';
    const [near, far] = await Promise.all([1, 2].map((hops) => graphPage(manyTypes(500), { ...ask, of, hops })));
    const typesIn = (page: Page | undefined): number => page?.content.text.match(/<rect class="type/g)?.length ?? 0;

    expect(near?.content.text).toContain('class="chosen"');
    expect(typesIn(near)).toBeGreaterThan(1);
    expect(typesIn(far)).toBeGreaterThan(typesIn(near));
  });
});

describe('a graph of types that all refer to each other', () => {
  const { types } = manyTypes(30);
  const all: TypeGraph = {
    types,
    references: types.flatMap(({ id: from, workspace }) =>
      types
        .filter(({ id }) => id !== from)
        .map(({ id: to }) => ({
          ...{ from, to, rule: { workspace, name: 'all' }, fieldPath: '.spec.ref', enforcement: 'Deny', inCycle: true },
        })),
    ),
    cycles: [types.map(({ id }) => id)],
  };
  const ask = { of: '', search: '', hops: 2, size: 'full' } as const;

  it('given no type chosen, then nothing is laid out, and the page says why', async () => {
    const page = await graphPage(all, ask);

    expect(page.content.text).not.toContain('<svg');
    expect(textOf(page)).toContain('30 types and 870 arrows are too many for a picture that can be read: choose a type below');
  });

  it('given a chosen type, then the picture has the arrows from and to it alone, and the page says so', async () => {
    const [chosen] = types;

    const page = await graphPage(all, { ...ask, of: chosen === undefined ? '' : typeName(chosen) });

    expect(page.content.text.match(/<path class="arrow/g)).toHaveLength(58);
    expect(textOf(page)).toContain('The picture has the arrows from and to it alone, as 870 arrows are too many.');
  });
});

describe(decisionsPage, () => {
  it('given decisions, then those of a verdict and a word are shown, each leading to the object', () => {
    const feed = { state: 'read', decisions: manyDecisions(30), replicas: 1 } as const;

    const page = decisionsPage(feed, { search: 'vpc-3', verdict: 'deny' });

    expect(page.content.text.match(/<th scope="row">/g)).toHaveLength(1);
    expect(page.content.text).toContain(
      'href="delete?workspace=root%3Ateams%3Ateam-a&#38;object=vpcs.network.example.com%2Fvpc-3&#38;namespace=default"',
    );
    expect(page.summary).toBe('30 deletes decided lately, 10 of them refused.');
  });
});

describe('a decision at once', () => {
  it('given one, then the page says that nothing was looked up, and at the URL of which workspace the webhook was called', () => {
    const decisions = manyDecisions(1).map((each) => ({ ...each, isAtOnce: true, guarded: 'root:providers:evil' }));

    const text = textOf(decisionsPage({ state: 'read', decisions, replicas: 1 }, { search: '', verdict: 'all' }));

    expect(text).toMatch(/refused dry run at once|refused at once/);
    expect(text.replaceAll(' ', '')).toContain('nothingwaslookedup;calledattheURLofroot:providers:evil');
  });
});

describe(deletePage, () => {
  it('given a chain, then each object is named below what it refers to, and one that stands there already is not followed', () => {
    const page = deletePage(
      { workspace: 'root:teams:team-a', object: 'vpcs/my-vpc', namespace: 'default', type: '', search: '' },
      { state: 'told', chain: deepChain() },
    );

    expect(textOf(page)).toMatch(
      /a delete would be refused\..* VirtualMachine\/default\/my-vm refers to it by \.spec\.vpcRef\.name.* Backup\/default\/nightly .* VirtualMachine\/default\/other .*stands here already/,
    );
  });
});

describe(teardownPage, () => {
  it.each([
    {
      given: 'one that waits',
      teardown: waitingTeardown(),
      says: 'is being deleted (since 2026-01-02T03:04:05Z). It waits for what is below.',
      isLive: true,
    },
    {
      given: 'one that nobody deletes',
      teardown: { workspace: 'root:teams:team-a', terminators: [], held: [], cutTypes: [], left: [], ending: [] },
      says: 'is not being deleted. Nothing would hold it.',
      isLive: false,
    },
    {
      given: 'one of which only a namespace is deleted',
      teardown: {
        workspace: 'root:teams:team-a',
        terminators: [],
        held: [],
        cutTypes: [],
        left: [],
        ending: [{ what: 'namespace', name: 'prod', since: '2026-01-02T03:04:05Z', kcpSays: ['denied'] }] as const,
      },
      says: 'namespace prod is being deleted (since 2026-01-02T03:04:05Z); kcp says: denied',
      isLive: true,
    },
    {
      given: 'one of which not everything was looked at',
      teardown: {
        workspace: 'root:teams:team-a',
        terminators: [],
        held: [],
        cutTypes: Array.from({ length: 12 }, (_, at) => `t${String(at)}.x.io`),
        left: [],
        ending: [],
      },
      says: 'is not being deleted. Nothing was found that holds it, but not everything was looked at.',
      isLive: false,
    },
  ])('given $given, then it is told, and read again while it goes on', ({ teardown, says, isLive }) => {
    const page = teardownPage('root:teams:team-a', { state: 'told', teardown });

    expect(textOf(page)).toContain(says);
    expect(page.everySeconds !== undefined).toBe(isLive);
  });
});
