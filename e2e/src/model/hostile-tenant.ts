// A tenant beside the cast whom no consumer has bound: cluster-admin of workspaces of its own, it writes whatever kcp admits there, all the
// time. What it does is the seed's alone; what it is answered is its own affair. Nothing of it may change an answer about anybody else.
import type { Answer } from '../https/answer.js';
import type { Tree } from '../https/kube-body.js';
import { GUARDS, RULES } from '../scenarios/rules.js';
import { version } from '../stage/example-types.js';
import { APIS, APIS_V1ALPHA1, schemaOf, WEBHOOK_CONFIGURATIONS } from '../stage/exports.js';
import type { Outsider } from '../stage/outsider.js';
import type { Workspace } from '../stage/stage.js';
import { Chance } from './chance.js';
import type { HostileHome } from './hostile-home.js';

const API = 'dependencies.opendefense.cloud';
const OWN = 'hostile.example.com';
// Fewer than a workspace may have in force, so that each of them counts.
const MOST_RULES = 8;
const MOST_TARGETS = 12;
const MOST_CONSENTS = 6;
const schema = { type: 'object', properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } };

/** What a hostile tenant knows of those beside it: it may know everything. */
export interface Known {
  /** Providers and consumers, as they are. */
  readonly workspaces: readonly Workspace[];
  /** Their groups, which are the names of their exports. */
  readonly groups: readonly string[];
  /** Names of their rules. */
  readonly rules: () => readonly string[];
}

/** What it does while one script is played. */
export class HostileTenant {
  readonly #home: HostileHome;
  readonly #knows: () => Known;
  readonly #nameOf: (name: string) => string;
  readonly #rules: { readonly at: Workspace; readonly name: string }[] = [];
  readonly #tell: (line: string) => void;
  #chance: Chance;
  #count = 0;

  /** `nameOf` makes names that no other run has. */
  constructor(home: HostileHome, to: { known(): Known; nameOf(name: string): string; tell(line: string): void }) {
    this.#home = home;
    this.#chance = new Chance(0);
    this.#knows = () => to.known();
    this.#nameOf = (name) => to.nameOf(name);
    this.#tell = (line) => to.tell(line);
  }

  /** Does so many things, one after the other; the chance alone says what. */
  async act(chance: Chance, times: number): Promise<void> {
    this.#chance = chance;
    for (let n = 0; n < times; n += 1) await this.#act();
  }

  /** Takes back what it wrote. */
  async cleanUp(): Promise<void> {
    const { by, workspaces } = this.#home;
    for (const { at, name } of this.#rules) await by.admin.delete(`${at.at}${RULES}/${name}`);
    for (const { at: home } of workspaces) {
      const guard = `${home}${GUARDS}/dependency-controller`;
      await by.admin.patch('json', guard, [{ op: 'remove', path: '/spec' }]);
      await by.admin.delete(`${home}${WEBHOOK_CONFIGURATIONS}/dependency-controller`);
    }
    await this.#home.restore();
  }

  get #known(): Known {
    return this.#knows();
  }

  async #act(): Promise<void> {
    this.#count += 1;
    const where = this.#chance.pick(this.#home.workspaces);
    const share = this.#chance.below(100);
    if (share < 30) await this.#writeRule(where);
    else if (share < 38) await this.#removeRule();
    else if (share < 50) await this.#guard(where);
    else if (share < 62) await this.#guardStatus(where);
    else if (share < 70) await this.#ruleStatus();
    else if (share < 82) await this.#claimPath(where);
    else if (share < 88) await this.#rebind(where);
    else if (share < 94) await this.#export(where);
    else await this.#configure(where);
  }

  async #writeRule(where: Workspace): Promise<void> {
    if (this.#rules.length >= MOST_RULES) await this.#removeRule();
    const name = this.#nameOf(`h${this.#count}`);
    this.#rules.push({ at: where, name });
    const dependent = { apiExportName: this.#anyGroup(), group: this.#anyGroup(), version: 'v1', ...this.#anyType() };
    const dependencies = Array.from({ length: 1 + this.#chance.below(MOST_TARGETS) }, () => this.#target());
    const enforcement = this.#chance.pick(['Deny', 'Deny', 'Warn', 'Audit']);
    const spec = { dependent, dependencies, enforcement };
    this.#say('rule', { where: where.path, name, spec }, await this.#by.post(where.at + RULES, ofKind('DependencyRule', name, { spec })));
  }

  async #removeRule(): Promise<void> {
    const rule = this.#rules.shift();
    if (rule !== undefined) this.#say('no rule', rule.name, await this.#by.delete(`${rule.at.at}${RULES}/${rule.name}`));
  }

  async #guard(where: Workspace): Promise<void> {
    const spec = { allowRulesFrom: Array.from({ length: this.#chance.below(MOST_CONSENTS) }, () => this.#anyPath()) };
    const made = await this.#by.post(where.at + GUARDS, ofKind('DependencyGuard', 'dependency-controller', { spec }));
    const answer = made.status === 409 ? await this.#by.patch('merge', `${where.at}${GUARDS}/dependency-controller`, { spec }) : made;
    this.#say('guard', { where: where.path, spec }, answer);
  }

  /** Names rules of others, in workspaces that are somewhere else or nowhere. */
  async #guardStatus(where: Workspace): Promise<void> {
    const names = this.#known.rules();
    const rules = Array.from({ length: this.#chance.below(MOST_TARGETS) }, () => ({
      cluster: this.#anyWorkspace().cluster,
      path: this.#anyPath(),
      rule: names.length === 0 ? 'none' : this.#chance.pick(names),
      generation: 1 + this.#chance.below(3),
      dependent: `Thing.${this.#anyGroup()}`,
      resource: `${this.#chance.pick(['things', 'places'])}.${this.#anyGroup()}`,
      enforcement: this.#chance.pick(['Deny', 'Warn', 'Audit']),
    }));
    const status = { ruleCount: this.#chance.below(2 * MOST_TARGETS), rules };
    const answer = await this.#by.patch('merge', `${where.at}${GUARDS}/dependency-controller/status`, { status });
    this.#say('guard status', { where: where.path, status }, answer);
  }

  async #ruleStatus(): Promise<void> {
    if (this.#rules.length === 0) return;
    const { at: where, name } = this.#chance.pick(this.#rules);
    const { path, cluster } = this.#anyWorkspace();
    const targets = [{ path, cluster, resource: `things.${this.#anyGroup()}`, state: 'Installed' }];
    const status = { observedGeneration: this.#chance.below(5), targets };
    this.#say('rule status', { name, status }, await this.#by.patch('merge', `${where.at}${RULES}/${name}/status`, { status }));
  }

  /** Says that it lives elsewhere, and touches its binding, to which kcp copies that. */
  async #claimPath(where: Workspace): Promise<void> {
    const path = this.#anyPath();
    const claimed = { metadata: { annotations: { 'kcp.io/path': path } } };
    const said = await this.#by.patch('merge', `${where.at}/apis/core.kcp.io/v1alpha1/logicalclusters/cluster`, claimed);
    const touched = { metadata: { annotations: { 'example.com/touched': this.#nameOf(`${this.#count}`) } } };
    await this.#by.patch('merge', `${where.at}${APIS}/apibindings/dep-ctrl`, touched);
    this.#say('path', { where: where.path, path }, said);
  }

  /** Lets go of dep-ctrl, or binds it again where an earlier turn let go. */
  async #rebind(where: Workspace): Promise<void> {
    const bindings = `${where.at}${APIS}/apibindings`;
    const { depCtrl } = this.#home.world;
    const verbs = ['get', 'list', 'watch', 'create', 'update', 'delete'];
    const claim = {
      group: 'admissionregistration.k8s.io',
      resource: 'validatingwebhookconfigurations',
      verbs,
      selector: { matchAll: true },
    };
    const state = this.#chance.pick(['Accepted', 'Accepted', 'Rejected']);
    const spec = { reference: { export: depCtrl }, permissionClaims: [{ ...claim, state }] };
    const isLeaving = this.#chance.percent(40);
    const answer = isLeaving
      ? await this.#by.delete(`${bindings}/dep-ctrl`)
      : await this.#by.post(bindings, { apiVersion: 'apis.kcp.io/v1alpha2', kind: 'APIBinding', metadata: { name: 'dep-ctrl' }, spec });
    this.#say(isLeaving ? 'unbind' : 'bind', where.path, answer);
  }

  /** Exports types of others' groups, under a name of its own: two of one name at one path are more than kcp itself stands. */
  async #export(where: Workspace): Promise<void> {
    const of = this.#anyGroup();
    const name = `${this.#nameOf(`x${this.#count}`)}.example.com`;
    const prefix = this.#nameOf(`v${this.#count}`);
    const type = { plural: 'things', kind: 'Thing', scope: 'Namespaced' as const, versions: [version('v1', schema)] as const };
    await this.#by.post(`${where.at}${APIS_V1ALPHA1}/apiresourceschemas`, schemaOf(type, of, prefix));
    const resources = [{ group: of, name: 'things', schema: `${prefix}.things.${of}`, storage: { crd: {} } }];
    const object = { apiVersion: 'apis.kcp.io/v1alpha2', kind: 'APIExport', metadata: { name }, spec: { resources } };
    this.#say('export', { where: where.path, name, of }, await this.#by.post(`${where.at}${APIS}/apiexports`, object));
  }

  /** Has a configuration that looks like one of dep-ctrl's, and that refuses everything of others' groups. */
  async #configure(where: Workspace): Promise<void> {
    const rules = [{ operations: ['*'], apiGroups: [this.#anyGroup()], apiVersions: ['*'], resources: ['*'], scope: '*' }];
    const url = 'https://127.0.0.1:1/validate';
    const entry = { rules, clientConfig: { url }, sideEffects: 'None', admissionReviewVersions: ['v1'], failurePolicy: 'Fail' };
    const webhooks = [{ name: `dependency-controller.${API}`, ...entry }];
    const labels = { 'app.kubernetes.io/managed-by': 'dep-ctrl' };
    const name = this.#chance.pick(['dependency-controller', this.#nameOf(`c${this.#count}`)]);
    const object = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name, labels },
      webhooks,
    };
    const made = await this.#by.post(where.at + WEBHOOK_CONFIGURATIONS, object);
    const there = `${where.at}${WEBHOOK_CONFIGURATIONS}/${name}`;
    this.#say(
      'configuration',
      { where: where.path, name },
      made.status === 409 ? await this.#by.patch('merge', there, { webhooks }) : made,
    );
  }

  #target(): Tree {
    const isBroken = this.#chance.percent(10);
    return {
      apiExportRef: { path: this.#anyPath(), name: this.#anyGroup() },
      group: isBroken ? 'rbac.authorization.k8s.io' : this.#anyGroup(),
      version: 'v1',
      resource: this.#anyType().resource,
      fieldRef: { path: this.#chance.pick(['.metadata.name', '.spec.ref.name', '.spec.refs[*].name', '.spec.peer', '.spec[']) },
    };
  }

  #anyType(): { readonly kind: string; readonly resource: string } {
    return this.#chance.pick([
      { kind: 'Thing', resource: 'things' },
      { kind: 'Place', resource: 'places' },
    ]);
  }

  #anyGroup(): string {
    return this.#chance.percent(85) ? this.#chance.pick(this.#known.groups) : OWN;
  }

  #anyWorkspace(): Workspace {
    return this.#chance.pick([...this.#known.workspaces, ...this.#home.workspaces]);
  }

  /** The path of a workspace, a logical cluster in place of a path, or a path that does not exist. */
  #anyPath(): string {
    const { path, cluster } = this.#anyWorkspace();
    const share = this.#chance.below(100);
    if (share < 65) return path;
    if (share < 75) return cluster;
    return this.#chance.pick(['root', 'root:none', 'NOT_A_PATH', '', this.#home.world.depCtrl.path]);
  }

  get #by(): Outsider['admin'] {
    return this.#home.by.admin;
  }

  #say(what: string, of: unknown, { status }: Answer): void {
    this.#tell(`hostile: ${what} ${JSON.stringify(of)}: ${status}`);
  }
}

function ofKind(kind: string, name: string, more: Tree): Tree {
  return { apiVersion: `${API}/v1alpha1`, kind, metadata: { name }, ...more };
}
