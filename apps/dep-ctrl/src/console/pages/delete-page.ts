// The page about one delete: the object, the objects that refer to it, the objects that refer to those. Pure.
import { printGroupResource, type GroupResource } from '@dep-ctrl/kcp-names';
import { ALLOWED_BECAUSE } from '../../explain/explanation.js';
import type { ReferenceChain, Referrer } from '../../explain/reference-chain.js';
import type { FoundNames } from './find-objects.js';
import { address, html, type Html } from './html.js';
import { command, form, problem, state, table, type Page } from './page.js';

/** What is asked, as it was typed. */
export interface DeleteQuestion {
  readonly workspace: string;
  /** `vpcs/my-vpc`; empty: the person still looks for it. */
  readonly object: string;
  readonly namespace: string;
  /** The type whose objects are to be listed; empty: the types are. */
  readonly type: string;
  readonly search: string;
}

/** What is known. */
export type ToldDelete =
  | { readonly state: 'not-asked' }
  | { readonly state: 'failed'; readonly why: string }
  | { readonly state: 'types'; readonly types: readonly GroupResource[]; readonly guarded: ReadonlySet<string> }
  | { readonly state: 'names'; readonly names: FoundNames }
  | { readonly state: 'told'; readonly chain: ReferenceChain };

/** The page. */
export function deletePage(question: DeleteQuestion, told: ToldDelete): Page {
  const { workspace, object, namespace } = question;
  const fixed = form(
    'delete',
    [
      { name: 'workspace', label: 'Workspace', value: workspace, hint: 'root:teams:team-a', isRequired: true },
      { name: 'object', label: 'Object; empty to choose one', value: object, hint: 'vpcs/my-vpc' },
      { name: 'namespace', label: 'Namespace', value: namespace, hint: 'default' },
    ],
    'What if?',
  );
  return { view: 'delete', title: 'What if I delete', fixed, ...contentOf(question, told) };
}

type Content = Pick<Page, 'summary' | 'content'>;

function contentOf(question: DeleteQuestion, told: ToldDelete): Content {
  switch (told.state) {
    case 'not-asked': {
      const text = 'Name a workspace and an object of it. Nothing is deleted: the answer is the one that the delete would get.';
      return { summary: '', content: html`<p class="hint">${text}</p>` };
    }
    case 'failed':
      return { summary: 'No answer.', content: problem(told.why) };
    case 'types':
      return typesContent(question, told);
    case 'names':
      return namesContent(question, told.names);
    case 'told':
      return chainContent(told.chain);
    default:
      return told satisfies never;
  }
}

function typesContent({ workspace }: DeleteQuestion, { types, guarded }: Extract<ToldDelete, { state: 'types' }>): Content {
  const isGuarded = (type: GroupResource): boolean => guarded.has(printGroupResource(type));
  const sorted = types.toSorted((a, b) => Number(isGuarded(b)) - Number(isGuarded(a)));
  const link = (type: GroupResource): Html =>
    html`<a href="${address('delete', { workspace, type: printGroupResource(type) })}">${printGroupResource(type)}</a>`;
  const columns = [
    { name: 'Type', cell: link },
    { name: 'Rules', cell: (type: GroupResource) => (isGuarded(type) ? state('guarded by a rule', 'good') : state('none', 'plain')) },
  ];
  const content = table(`Types that ${workspace} binds`, sorted, columns, 'It binds no type, so no rule guards anything in it.');
  return { summary: `${String(types.length)} types.`, content };
}

function namesContent({ workspace, type, search }: DeleteQuestion, { names, lookedAt, isCut }: FoundNames): Content {
  const hidden = (name: string, value: string): Html => html`<input type="hidden" name="${name}" value="${value}" />`;
  const fields = [hidden('workspace', workspace), hidden('type', type), { name: 'search', label: `Search in ${type}`, value: search }];
  const summary = `${String(names.length)} found among ${isCut ? 'the first ' : ''}${String(lookedAt)} objects${isCut ? '; say more of the name to find others' : ''}.`;
  const columns = [
    {
      name: 'Object',
      cell: ({ name, namespace }: FoundNames['names'][number]) =>
        html`<a href="${address('delete', { workspace, object: `${type}/${name}`, namespace })}">${name}</a>`,
    },
    { name: 'Namespace', cell: ({ namespace }: FoundNames['names'][number]) => namespace ?? 'none: it is cluster-scoped' },
  ];
  const content = html`${form('delete', fields, 'Search')}
    <p>${summary}</p>
    ${table(`${type} in ${workspace}`, names, columns, 'No object is like that.')}`;
  return { summary, content };
}

function chainContent({ explanation, referrers }: ReferenceChain): Content {
  const { workspace, object, namespace, allowed, because, message, warnings, unready = [], check } = explanation;
  const where = namespace === undefined ? workspace : `${workspace}, namespace ${namespace}`;
  const verdict = allowed ? `would go through: ${ALLOWED_BECAUSE[because] ?? because}` : 'would be refused';
  const summary = `${object} in ${where}: a delete ${verdict}.`;
  const links = referrers.map((each) => linkTo(each, workspace));
  const content = html` <div class="notice ${allowed ? 'good' : 'bad'}">
      <p>${summary}</p>
      ${message === undefined ? undefined : html`<p>${message}</p>`}
    </div>
    ${[...warnings, ...unready].map((text) => html`<p class="notice doubt">${text}</p>`)}
    ${
      check === undefined
        ? undefined
        : html`<p>This is the answer of dep-ctrl. To see that of kcp, run:</p>
            ${command(check)}`
    }
    <h2>Who refers to whom</h2>
    ${
      referrers.length === 0
        ? html`<p>Nothing that a rule names refers to it.</p>`
        : html`<p>What is deepest goes first: each object is free once those below it are gone or point elsewhere.</p>
            <ul class="tree">
              <li>
                <strong>${object}</strong>
                <ul>
                  ${referrers.map((each, at) => referrerItem(each, links[at], workspace))}
                </ul>
              </li>
            </ul>`
    }`;
  return { summary, content };
}

function referrerItem(referrer: Referrer, link: Html | undefined, workspace: string): Html {
  const { by, referrers, cut } = referrer;
  const how = by.map(
    ({ rule, fieldPath, enforcement, isTerminating }) =>
      html` by <code>${fieldPath}</code>, rule
        ${rule}${enforcement === 'Deny' ? undefined : html` ${state(`${enforcement}: refuses nothing`, 'plain')}`}${isTerminating ? html` ${state('being deleted', 'doubt')}` : undefined}`,
  );
  const below =
    referrers.length === 0
      ? undefined
      : html`<ul>
          ${referrers.map((each) => referrerItem(each, linkTo(each, workspace), workspace))}
        </ul>`;
  return html`<li>${link} refers to it${how}${cutText(cut)}${below}</li>`;
}

function cutText(cut: Referrer['cut']): Html | undefined {
  if (cut === undefined) return undefined;
  if (cut === 'seen') return html` ${state('stands here already: a circle, or a second way', 'doubt')}`;
  if (cut === 'too-many') return html` ${state('not looked further', 'doubt')}`;
  return html` ${state('cannot tell', 'bad')} ${cut.why}`;
}

function linkTo({ type, kind, namespace, name }: Referrer, workspace: string): Html {
  const id = namespace === undefined ? `${kind}/${name}` : `${kind}/${namespace}/${name}`;
  return html`<a href="${address('delete', { workspace, object: `${type}/${name}`, namespace })}">${id}</a>`;
}
