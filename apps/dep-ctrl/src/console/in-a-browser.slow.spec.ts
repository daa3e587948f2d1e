import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chromium, type Browser, type Page } from 'playwright-core';
import { ConsoleServer, type MakePage } from './console-server.js';
import { html } from './pages/html.js';
import { VIEWS, type View } from './pages/page.js';
import { manyTypes, pagesOf } from './spec-support/many-types.js';

const { CHROMIUM_BIN = '/usr/bin/chromium', CONSOLE_SCREENSHOTS } = process.env;
const hasChromium = existsSync(CHROMIUM_BIN);
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const TOKEN = 'a-token-of-the-spec';
const WITHIN_MS = 60_000;

if (!hasChromium) process.stderr.write(`the console was tried in no browser: there is no ${CHROMIUM_BIN}; apt-get install chromium\n`);

// With CONSOLE_SCREENSHOTS=DIR it leaves pictures of the pages there, for who wants to look at them.
(hasChromium ? describe : describe.skip)('the console in a browser', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM_BIN, args: ['--no-sandbox'] });
  }, WITHIN_MS);

  afterAll(() => browser.close());

  it.each([
    { types: 3, scheme: 'light' },
    { types: 50, scheme: 'dark' },
    { types: 500, scheme: 'light' },
  ] as const)(
    'given $types types and a $scheme scheme, then axe finds nothing to complain about on any page, and nothing but the console is asked',
    async ({ types, scheme }) => {
      await withConsole(pagesOf(manyTypes(types)), async (address) => {
        const { page, complaints, asked } = await open(browser, scheme);
        const found: Record<string, unknown> = {};

        for (const { view } of VIEWS) {
          await page.goto(`${address}${view}`);
          if (CONSOLE_SCREENSHOTS !== undefined) await picture(page, `${view === './' ? 'status' : view}-${String(types)}-${scheme}`);
          const violations = await axe(page);
          if (violations.length > 0) found[view] = violations;
        }

        expect(found).toEqual({});
        expect(complaints).toEqual([]);
        expect(asked.filter((url) => !url.startsWith(address))).toEqual([]);
        await page.context().close();
      });
    },
    WITHIN_MS,
  );

  it(
    'given 500 types, then there is no picture until a type is chosen, by the keyboard alone, and the picture leads on',
    () =>
      withConsole(pagesOf(manyTypes(500)), async (address) => {
        const { page } = await open(browser, 'light');
        await page.goto(`${address}graph`);
        expect(await page.locator('svg').count()).toBe(0);
        expect(await page.locator('#fresh').innerText()).toContain('500 types are too many for a picture');

        await page.getByLabel('Search').focus();
        await page.keyboard.type('machines31');
        await page.keyboard.press('Enter');
        await page.waitForURL(/search=machines31/);
        const link = page.locator('svg a', { hasText: 'machines31' });
        await link.focus();
        await page.keyboard.press('Enter');
        await page.waitForURL(/of=root/);

        expect(await page.locator('svg a.chosen title').textContent()).toBe(
          'machines31.provider-31.example.com of root:providers:provider-31',
        );
        if (CONSOLE_SCREENSHOTS !== undefined) await picture(page, 'graph-chosen');
        await page.context().close();
      }),
    WITHIN_MS,
  );

  it(
    'given the Tab key, then the first stop skips the navigation, and each stop is seen',
    () =>
      withConsole(pagesOf(manyTypes(3)), async (address) => {
        const { page } = await open(browser, 'light');
        await page.goto(`${address}rules`);

        await page.keyboard.press('Tab');
        expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
        await page.keyboard.press('Enter');
        expect(await page.evaluate('document.activeElement.id')).toBe('main');
        const outlines: unknown[] = [];
        for (let stop = 0; stop < 6; stop += 1) {
          await page.keyboard.press('Tab');
          outlines.push(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle'));
        }

        expect(outlines).toEqual(Array(6).fill('solid'));
        await page.context().close();
      }),
    WITHIN_MS,
  );

  it(
    'given a page that changes, then it is read again, what changed is announced, and the focus stays; paused, it stays as it is',
    () => {
      let round = 0;
      const changing: MakePage = () => {
        round += 1;
        const text = `round ${String(round)}`;
        return Promise.resolve({
          ...{ view: 'decisions', title: 'Decisions', everySeconds: 1, summary: text },
          content: html`<p id="round">${text}</p>
            <a href="rules">first</a> <a id="second" href="rules">second</a>`,
        });
      };
      return withConsole({ ...pagesOf(manyTypes(3)), decisions: changing }, async (address) => {
        const { page, complaints } = await open(browser, 'light');
        await page.goto(`${address}decisions`);
        await page.locator('#second').focus();

        await page.getByText('round 3', { exact: true }).first().waitFor();
        expect(await page.locator('#announce').textContent()).toMatch(/^round [23]$/);
        expect(await page.evaluate('document.activeElement.id')).toBe('second');

        await page.getByRole('button', { name: 'Pause' }).click();
        const shown = await page.locator('#round').textContent();
        await page.evaluate('look()');
        expect(await page.locator('#round').textContent()).toBe(shown);
        expect(complaints).toEqual([]);
        await page.context().close();
      });
    },
    WITHIN_MS,
  );
});

async function withConsole(pages: Readonly<Record<View, MakePage>>, work: (address: string) => Promise<void>): Promise<void> {
  const frame = { depCtrl: '0.1.0', server: 'https://kcp.example.com:6443', context: 'admin' };
  const server = new ConsoleServer({ address: { host: '127.0.0.1', port: 0 }, token: TOKEN, pages, frame });
  const address = await server.start();
  try {
    await work(address);
  } finally {
    await server.stop();
  }
}

/** A page whose complaints (broken scripts, what the policy forbids, what is not found) and requests are noted. */
async function open(browser: Browser, colorScheme: 'light' | 'dark') {
  const context = await browser.newContext({ colorScheme, viewport: { width: 1400, height: 900 }, bypassCSP: false });
  const page = await context.newPage();
  const complaints: string[] = [];
  const asked: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => asked.push(request.url()));
  return { page, complaints, asked };
}

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

async function axe(page: Page): Promise<readonly unknown[]> {
  // By the debugger: what the policy forbids pages it does not forbid that.
  const source = await import('node:fs/promises').then(({ readFile }) => readFile(AXE, 'utf8'));
  await page.evaluate(source);
  const { violations } = await page.evaluate<{ readonly violations: readonly Violation[] }>('axe.run()');
  return violations.map(({ id, nodes }) => ({
    id,
    first: nodes.slice(0, 3).map((node) => [node.html.slice(0, 200), node.failureSummary]),
  }));
}

async function picture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(CONSOLE_SCREENSHOTS ?? '', `${name}.png`), fullPage: false });
}
