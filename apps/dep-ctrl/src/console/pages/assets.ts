// What the browser loads beside the pages. Texts, so that the program stays one file.
/** How the pages look, light or dark as the browser says. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #ffffff; --raised: #f6f8fa; --line: #d1d9e0; --text: #1f2328; --quiet: #59636e; --link: #0a58ca;
  --good: #116329; --good-paper: #dcf7e3; --bad: #a40e26; --bad-paper: #ffe9e9; --doubt: #7a4a00; --doubt-paper: #fff3d6; --cycle: #c62828;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #0f1419; --raised: #181f27; --line: #3a444f; --text: #e6edf3; --quiet: #a3aeb9; --link: #7db7ff;
    --good: #7ee2a0; --good-paper: #0f3320; --bad: #ff9d9d; --bad-paper: #451519; --doubt: #f5c869; --doubt-paper: #3d2d06; --cycle: #ff7b7b;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--text); font: 15px/1.5 system-ui, "DejaVu Sans", sans-serif; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -100rem; top: 0; background: var(--paper); padding: .5rem 1rem; z-index: 1; }
.skip:focus { left: 0; }
.hidden-text { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); margin: 0; }
header { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 2rem; padding: .5rem 1.5rem; background: var(--raised); border-bottom: 1px solid var(--line); }
.brand { margin: 0; font-weight: 600; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem; list-style: none; margin: 0; padding: 0; }
nav a { display: block; padding: .35rem .75rem; border-radius: .4rem; color: var(--text); text-decoration: none; }
nav a:hover { text-decoration: underline; }
nav a[aria-current] { background: var(--paper); box-shadow: inset 0 0 0 1px var(--line); font-weight: 600; }
main { padding: 1rem 1.5rem 2rem; max-width: 110rem; }
main:focus { outline: none; }
footer { padding: .5rem 1.5rem; color: var(--quiet); border-top: 1px solid var(--line); font-size: 13px; }
h1 { font-size: 1.5rem; margin: .25rem 0; }
h2 { font-size: 1.1rem; margin: 1.75rem 0 .5rem; }
.heading { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem 1.5rem; }
.live { margin: 0; color: var(--quiet); font-size: 13px; }
.more, .hint { color: var(--quiet); }
form { display: flex; flex-wrap: wrap; align-items: end; gap: .75rem 1rem; margin: .75rem 0 1rem; }
label { display: grid; gap: .15rem; font-size: 13px; color: var(--quiet); }
input, select, button { font: inherit; font-size: 15px; color: var(--text); background: var(--paper); border: 1px solid var(--quiet); border-radius: .4rem; padding: .35rem .6rem; min-height: 2.25rem; }
input { min-width: 17rem; max-width: 100%; }
::placeholder { color: var(--quiet); opacity: 1; }
button { background: var(--raised); cursor: pointer; }
.live button { font-size: 13px; min-height: 1.75rem; padding: .1rem .6rem; }
.notice { border: 1px solid var(--line); border-left: 5px solid var(--quiet); border-radius: .4rem; padding: .6rem 1rem; margin: .75rem 0; overflow-wrap: anywhere; }
.notice p, .facts p { margin: .15rem 0; }
.notice.good { border-left-color: var(--good); background: var(--good-paper); }
.notice.bad { border-left-color: var(--bad); background: var(--bad-paper); }
.notice.doubt { border-left-color: var(--doubt); background: var(--doubt-paper); }
.wide { overflow-x: auto; border: 1px solid var(--line); border-radius: .4rem; }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
th, td { text-align: left; vertical-align: top; padding: .4rem .75rem; border-top: 1px solid var(--line); overflow-wrap: break-word; min-width: 5.5rem; }
thead th { background: var(--raised); border-top: 0; white-space: nowrap; }
tbody th { font-weight: 500; min-width: 14rem; }
table code { white-space: normal; }
td p { margin: 0 0 .25rem; }
.state { display: inline-block; padding: 0 .5rem; border-radius: 1rem; border: 1px solid currentcolor; white-space: nowrap; font-size: 13px; }
.state.good { color: var(--good); background: var(--good-paper); }
.state.bad { color: var(--bad); background: var(--bad-paper); }
.state.doubt { color: var(--doubt); background: var(--doubt-paper); }
.state.plain { color: var(--quiet); }
code { font-family: "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: 13px; }
.command { display: block; background: var(--raised); border: 1px solid var(--line); border-radius: .3rem; padding: .25rem .5rem; margin: .25rem 0; overflow-wrap: anywhere; color: var(--text); }
.facts { margin: .75rem 0; padding: 0; list-style: none; }
.facts li { padding: .2rem 0; overflow-wrap: anywhere; }
.tree, .tree ul { list-style: none; margin: 0; padding-left: 1.5rem; border-left: 2px solid var(--line); }
.tree { padding-left: .75rem; }
.tree li { padding: .25rem 0; overflow-wrap: anywhere; }
.picture { overflow: auto; max-height: 80vh; border: 1px solid var(--line); border-radius: .4rem; background: var(--paper); }
.picture svg { display: block; }
.picture.fit svg { max-width: 100%; height: auto; }
.picture text { font-family: "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: var(--text); }
.picture .name { font-size: 14px; text-anchor: middle; }
.picture .group { font-size: 11px; text-anchor: middle; fill: var(--quiet); }
.picture .label { font-size: 11px; text-anchor: middle; }
.picture .workspace-name { font-size: 12px; fill: var(--quiet); stroke: var(--raised); stroke-width: 4px; paint-order: stroke; }
.picture .legend { font-size: 11px; fill: var(--quiet); }
.picture .paper, .picture .type, .picture .behind { fill: var(--paper); }
.picture .behind { fill-opacity: .85; }
.picture .workspace { fill: var(--raised); stroke: var(--line); }
.picture .type { stroke: var(--quiet); stroke-width: 1.2; }
.picture .arrow { fill: none; stroke: var(--quiet); stroke-width: 1.4; }
.picture .idle { stroke-dasharray: 6 4; }
.picture .type.cycle, .picture .arrow.cycle { stroke: var(--cycle); stroke-width: 2.5; }
.picture .head { fill: var(--quiet); }
.picture .head.cycle { fill: var(--cycle); }
.picture a { cursor: pointer; }
.picture a:hover .type { stroke: var(--link); }
.picture a:focus { outline: none; }
.picture a:focus-visible .type { stroke: var(--link); stroke-width: 4; }
.picture a.chosen .type { stroke: var(--link); stroke-width: 3; fill: var(--raised); }
`;

/** The picture in the tab. */
export const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="4" cy="8" r="3" fill="#0a58ca"/><circle cx="12" cy="8" r="3" fill="#59636e"/><path d="M4 8h8" stroke="#59636e" stroke-width="2"/></svg>';
/**
 * What the browser does: reads the page again and puts the new content in the place of the old. Without it every page works, and is read again by
 * hand. Nothing is replaced while it is the same, while text in it is selected, or while the page is hidden.
 */
export const SCRIPT = `'use strict';
const fresh = document.getElementById('fresh');
const live = document.getElementById('live');
const announce = document.getElementById('announce');
const FOCUSABLE = 'a, button, input, select, [tabindex]';
let isPaused = false;

function tell(text) {
  if (announce.textContent !== text) announce.textContent = text;
}

function isSelecting() {
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && fresh.contains(selection.anchorNode);
}

function scrolled() {
  return [...fresh.querySelectorAll('.picture, .wide')];
}

function everyMs() {
  return Number(fresh.dataset.every ?? 0) * 1000;
}

function replace(next) {
  if (next.innerHTML === fresh.innerHTML || isSelecting()) return;
  const focused = [...fresh.querySelectorAll(FOCUSABLE)].indexOf(document.activeElement);
  const places = scrolled().map(({ scrollLeft, scrollTop }) => ({ scrollLeft, scrollTop }));
  fresh.replaceChildren(...next.childNodes);
  scrolled().forEach((element, at) => Object.assign(element, places[at]));
  if (focused >= 0) fresh.querySelectorAll(FOCUSABLE)[focused]?.focus({ preventScroll: true });
  if (next.dataset.summary !== fresh.dataset.summary) tell(next.dataset.summary);
  fresh.dataset.summary = next.dataset.summary;
  if (next.dataset.every === undefined) delete fresh.dataset.every;
  else fresh.dataset.every = next.dataset.every;
}

async function look() {
  if (isPaused || document.hidden) return;
  try {
    const answer = await fetch(location.href, { cache: 'no-store' });
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const next = page.getElementById('fresh');
    if (next !== null) replace(next);
    document.body.classList.remove('gone');
  } catch {
    document.body.classList.add('gone');
    tell('The console does not answer any more: what is shown is old.');
  }
}

async function lookAgainAndAgain() {
  while (everyMs() > 0) {
    await new Promise((resolve) => setTimeout(resolve, everyMs()));
    await look();
  }
  live.hidden = true;
}

function showFirst() {
  const picture = document.querySelector('.picture');
  const type = picture?.querySelector('.chosen') ?? picture?.querySelector('a');
  if (!type) return;
  const [around, box] = [picture.getBoundingClientRect(), type.getBoundingClientRect()];
  picture.scrollBy(box.left - around.left - (around.width - box.width) / 2, box.top - around.top - (around.height - box.height) / 2);
}

showFirst();

if (everyMs() > 0) {
  const button = live.querySelector('button');
  live.hidden = false;
  button.addEventListener('click', () => {
    isPaused = !isPaused;
    button.textContent = isPaused ? 'Go on' : 'Pause';
    void look();
  });
  void lookAgainAndAgain();
}
`;
