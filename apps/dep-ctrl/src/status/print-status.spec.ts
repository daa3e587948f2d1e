import { describe, expect, it } from '@jest/globals';
import type { DoctorFacts } from '../doctor/precondition.js';
import { examine, findingsOf } from '../doctor/preconditions.js';
import { HOME, facts, installation, read, ready, rule, shard } from '../doctor/spec-support/whole-facts.js';
import type { InstallationFacts } from '../installation/facts.js';
import { homeProtection } from '../own-objects/home-protection.js';
import { controllerText, printStatus, webhookText } from './print-status.js';
import { statusView } from './status-view.js';

const silent = { state: 'unread', what: 'the rules', because: 'silent', why: 'no answer' } as const;

function printed(given: DoctorFacts & { readonly installation?: InstallationFacts }): readonly string[] {
  const { installation: there = installation() } = given;
  return printStatus(statusView(given, there, findingsOf(examine(given)))).split('\n');
}

const withHome = (home: Partial<InstallationFacts['home']>) => facts({ installation: installation({ home }) });
const withShard = (changes: Parameters<typeof shard>[0]) => facts({ installation: installation({ shards: [shard(changes)] }) });

describe('the versions of the roles', () => {
  const webhook = { url: 'https://w', state: 'answers', namedIn: [], caUntil: [] } as const;

  it.each([
    { versions: [], expected: 'https://w answers from here, named in 0 workspaces' },
    { versions: ['0.1.0'], expected: 'https://w answers from here, version 0.1.0, named in 0 workspaces' },
    { versions: ['0.1.0', '0.2.0'], expected: 'https://w answers from here, versions 0.1.0 and 0.2.0, named in 0 workspaces' },
  ])('given webhooks of $versions, then each is told', ({ versions, expected }) => {
    expect(webhookText({ ...webhook, versions }, 0)).toBe(expected);
  });

  it('given certificates and CAs of which some have expired, then each is told, with the time at which it did', () => {
    const [past, soon, late] = ['1970-01-01T00:00:01.000Z', '1970-01-02T00:00:01.000Z', '1970-01-05T00:00:01.000Z'];
    const said = (certificateUntil: string, ...caUntil: string[]) =>
      webhookText({ ...webhook, versions: [], certificateUntil, caUntil }, 1_000);

    expect(said(soon, soon, late)).toBe(
      'https://w answers from here, named in 0 workspaces, certificate valid for 24 h, CA valid for 24 h and 4 d',
    );
    expect(said(past, past, late)).toBe(
      `https://w answers from here, named in 0 workspaces, certificate EXPIRED at ${past}, CA valid for 4 d, CA EXPIRED at ${past}`,
    );
  });

  it('given a controller whose Lease has a version, then it is told; given an older one, whose Lease has none, then not', () => {
    const leads = { state: 'leads', holder: 'a', renewedAt: '1970-01-01T00:00:00.000Z' } as const;

    expect(controllerText({ ...leads, version: '0.1.0' }, 2_000)).toBe('a leads, version 0.1.0, Lease renewed 2 s ago');
    expect(controllerText(leads, 2_000)).toBe('a leads, Lease renewed 2 s ago');
  });
});

describe(printStatus, () => {
  it('given a shard that could not be read, then nothing is said to be all there is, and nothing is called well', () => {
    const lines = printed(withShard({ rules: silent, configurations: silent }));

    expect(lines).toContain('webhook     none in what could be read');
    expect(lines).toContain('rules       0 of 0 ready and in force; there may be others that could not be read');
    expect(lines.find((line) => line.startsWith('endpoint '))).toContain(': partly read: 1 binding, 0 rules');
    expect(lines).not.toContain('all is well');
  });

  it('given rules that are not ready, then each has its reason, whether it is in force, and a command', () => {
    const edit =
      'kubectl --server https://kcp.example.com:6443/clusters/root:providers:compute edit dependencyrules.dependencies.opendefense.cloud';

    const lines = printed(withShard({ rules: read([rule({ status: { conditions: [ready('False', 'FieldNotFound')] } })]) }));

    expect(lines).toContain('rules       0 of 1 ready and in force');
    expect(lines).toContain(
      `            root:providers:compute/vm-dependencies: Ready=False (FieldNotFound), unknown whether in force; ${edit} vm-dependencies`,
    );
  });

  it('given rules, then the status says whether anything keeps their home from being deleted; given none, there is nothing to lose', () => {
    const protection = read(new Map(homeProtection(HOME).map((object) => [object.kind ?? '', object])));
    const unread = { state: 'unread', what: 'the policy', because: 'refused', why: 'of no matter here' } as const;

    expect(printed(facts())).toContain(
      'home        root:dep-ctrl is not protected from deletion (dep-ctrl bootstrap --protect-workspace protects it)',
    );
    expect(printed(withHome({ protection }))).toContain(
      'home        kcp refuses a delete of root:dep-ctrl itself, until dep-ctrl uninstall',
    );
    expect(printed(withHome({ protection: unread }))).toContain(
      'home        whether root:dep-ctrl is protected from deletion may not be read',
    );
    expect(printed(withShard({ rules: read([]) })).filter((line) => line.startsWith('home '))).toEqual([]);
  });

  it('given more workspaces than anybody reads, then the first are there, and how many more there are', () => {
    const { bindings } = shard();
    const [one] = bindings.state === 'read' ? bindings.value : [];
    if (one === undefined) throw new Error('the whole installation has a binding');
    const many = Array.from({ length: 25 }, (_, index) => ({
      ...one,
      metadata: { ...one.metadata, annotations: { 'kcp.io/cluster': `c${index}` } },
    }));

    const lines = printed(withShard({ bindings: read(many), rules: read([]) }));

    expect(lines.filter((line) => line.startsWith('workspace '))).toHaveLength(20);
    expect(lines).toContain('            and 5 more workspaces: -o json has all');
  });
});
