// `doctor --rule`: of everything that was read, what concerns one rule. What is about the installation as a whole concerns each rule. Pure.
import { notParsed, parsed, type Parsed } from '@dep-ctrl/kcp-names';
import type { RuleView } from '../installation/rule-views.js';
import type { DoctorFacts } from './precondition.js';

/** A rule as people name it: its workspace, by path or logical cluster, and its name. */
export interface NamedRule {
  readonly workspace: string;
  readonly name: string;
}

/** Reads `WORKSPACE/NAME`. */
export function parseNamedRule(text: string): Parsed<NamedRule> {
  const [, workspace, name] = /^([^/]+)\/([^/]+)$/.exec(text) ?? [];
  return workspace === undefined || name === undefined
    ? notParsed('a workspace and the name of a rule in it, such as "root:providers:compute/vm-dependencies"')
    : parsed({ workspace, name });
}

/** The facts about one rule: the rule, its workspace, those that it guards, and the rights that it takes. A problem where there is no such rule. */
export function factsAboutRule(facts: DoctorFacts, named: NamedRule): Parsed<DoctorFacts> {
  const rule = facts.rules.find((each) => each.name === named.name && [each.workspace, each.cluster].includes(named.workspace));
  if (rule === undefined) return notParsed(notFound(facts, named));
  const { installation, probes } = facts;
  const guarded: ReadonlySet<string> = new Set(rule.guarded);
  const involved: ReadonlySet<string> = new Set([...guarded, rule.cluster]);
  const home = installation?.home.presence.state === 'found' ? installation.home.presence.cluster : '';
  const webhooks = (installation?.webhooks ?? []).flatMap((webhook) => {
    const namedIn = webhook.namedIn.filter((cluster) => guarded.has(cluster) || cluster === home);
    return namedIn.length === 0 ? [] : [{ ...webhook, namedIn }];
  });
  return parsed({
    ...facts,
    ...(installation === undefined ? {} : { installation: { ...installation, webhooks } }),
    rules: [rule],
    providers: facts.providers.filter(({ cluster }) => involved.has(cluster)),
    probes: aboutRule(probes, rule, involved),
  });
}

function aboutRule(probes: DoctorFacts['probes'], { workspace }: RuleView, involved: ReadonlySet<string>): DoctorFacts['probes'] {
  const { rights, policies, shardAdmins } = probes;
  return {
    ...probes,
    ...(rights === undefined ? {} : { rights: rights.filter((each) => each.of === 'consumers' || each.workspace === workspace) }),
    ...(policies === undefined ? {} : { policies: policies.filter((each) => each.workspace === workspace) }),
    ...(shardAdmins === undefined
      ? {}
      : { shardAdmins: shardAdmins.map((shard) => ({ ...shard, orphans: [], ...leftIn(shard, involved) })) }),
  };
}

function leftIn({ configurations }: NonNullable<DoctorFacts['probes']['shardAdmins']>[number], involved: ReadonlySet<string>) {
  if (configurations.state === 'unread') return {};
  return { configurations: { ...configurations, value: configurations.value.filter(({ cluster }) => involved.has(cluster)) } };
}

const MOST_NAMED = 5;

function notFound({ rules, providers, server, installation }: DoctorFacts, { workspace, name }: NamedRule): string {
  if (installation === undefined) return server.version.state === 'unread' ? server.version.why : 'kcp does not answer';
  const { presence } = installation.home;
  if (presence.state !== 'found') return presence.text;
  const isSeen = providers.some((provider) => [provider.name, provider.cluster].includes(workspace));
  const isUnread = installation.shards.some((shard) => shard.rules.state === 'unread');
  const near = rules.filter((each) => each.name === name || [each.workspace, each.cluster].includes(workspace));
  const some = near.slice(0, MOST_NAMED).map((each) => `${each.workspace}/${each.name}`);
  return [
    isSeen
      ? `there is no rule "${name}" in workspace "${workspace}"`
      : `nothing is seen of a rule "${name}" in workspace "${workspace}", as no binding of dep-ctrl is seen there: rules count where their workspace binds dep-ctrl`,
    ...(isUnread ? ['not every rule could be read'] : []),
    ...(some.length === 0
      ? []
      : [`there is ${some.join(', ')}${near.length > some.length ? ` and ${near.length - some.length} more` : ''}`]),
  ].join('; ');
}
