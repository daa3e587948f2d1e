// The view of `dep-ctrl status`. Pure.
import { ageLine, controllerText, endpointText, webhookText } from '../../status/print-status.js';
import type { StatusView } from '../../status/status-view.js';
import { html, type Html } from './html.js';
import { command, type Page } from './page.js';

const EVERY_SECONDS = 10;
// Those of rules are beside their rules, all of them.
const MOST_PROBLEMS = 20;

/** The page. `wrong` is what is wrong in a line, empty when nothing is. */
export function statusPage({ view, wrong }: { readonly view: StatusView; readonly wrong: string }): Page {
  const nowMs = Date.parse(view.at);
  const ready = view.rules.filter((rule) => rule.ready === 'True' && rule.inForce === 'yes').length;
  const guarded = view.workspaces.filter(({ guards }) => guards.length > 0).length;
  const summary = wrong === '' ? 'All is well.' : `${wrong}.`;
  return {
    view: './',
    title: 'Status',
    everySeconds: EVERY_SECONDS,
    summary,
    content: html` <p class="notice ${view.well ? 'good' : 'bad'}">
        ${summary} dep-ctrl in ${view.home.path}, kcp ${view.versions.kcp ?? 'unknown'}.
      </p>
      ${problems(view)}
      <h2>Roles</h2>
      <ul class="facts">
        <li>Controller: ${controllerText(view.controller, nowMs)}</li>
        ${view.webhooks.map((webhook) => html`<li>Webhook: ${webhookText(webhook, nowMs)}</li>`)}
        ${view.webhooks.length === 0 ? html`<li>Webhook: no configuration that could be read in the workspace of dep-ctrl names one</li>` : undefined}
      </ul>
      <h2>Rules and guards</h2>
      <ul class="facts">
        <li><a href="rules">${ready} of ${view.rules.length} rules</a> are ready and in force</li>
        <li>${guarded} of ${view.workspaces.length} workspaces that bind dep-ctrl are guarded</li>
      </ul>
      <h2>Shards</h2>
      <ul class="facts">
        ${view.endpoints.map((endpoint) => html`<li>${endpointText(endpoint)}</li>`)}
        ${view.endpoints.length === 0 ? html`<li>nobody has bound dep-ctrl, or its endpoints could not be read</li>` : undefined}
      </ul>
      <h2>Ages</h2>
      <ul class="facts">
        ${view.ages.map((age) => html`<li>${ageLine(age, nowMs)}</li>`)}${view.ages.length === 0 ? html`<li>no Secret could be read</li>` : undefined}
      </ul>`,
  };
}

function problems({ problems: found, notLookedAt }: StatusView): Html {
  const wrong = found.slice(0, MOST_PROBLEMS).map(
    ({ where, says, run }) =>
      html`<li>
        <p>${where} ${says}</p>
        ${command(run)}
      </li>`,
  );
  const unread = notLookedAt.filter(({ because }) => because !== 'not-asked');
  const hidden = unread.slice(0, MOST_PROBLEMS).map(({ where, why }) => html`<li>${where}: ${why}</li>`);
  return html`${
    wrong.length === 0
      ? undefined
      : html`<h2>What is wrong, and the command that helps</h2>
          <ul class="facts">
            ${wrong}
          </ul>
          ${found.length > MOST_PROBLEMS ? html`<p class="more">The first ${MOST_PROBLEMS} of ${found.length}. <a href="rules?show=not-well">Rules and guards</a> has those of rules; dep-ctrl doctor prints all.</p>` : undefined}`
  }
  ${
    hidden.length === 0
      ? undefined
      : html`<h2>Not looked at</h2>
          <ul class="facts">
            ${hidden}
          </ul>
          ${unread.length > MOST_PROBLEMS ? html`<p class="more">The first ${MOST_PROBLEMS} of ${unread.length}. dep-ctrl doctor prints all.</p>` : undefined}`
  }`;
}
