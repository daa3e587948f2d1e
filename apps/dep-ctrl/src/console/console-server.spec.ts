import { request } from 'node:http';
import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { ConsoleServer, type MakePage } from './console-server.js';
import { html } from './pages/html.js';
import { manyTypes, pagesOf } from './spec-support/many-types.js';

const TOKEN = 'a-token-of-the-spec';

interface Question {
  readonly path?: string;
  readonly method?: string;
  readonly host?: string;
}

async function withServer(
  work: (
    ask: (question?: Question) => Promise<{ code: number; headers: IncomingHttpHeaders; body: string }>,
    port: number,
  ) => Promise<void>,
  decisions?: MakePage,
): Promise<void> {
  const pages = pagesOf(manyTypes(3));
  const frame = { depCtrl: '0.1.0', server: 'https://kcp.example.com', context: 'admin' };
  const server = new ConsoleServer({
    address: { host: '127.0.0.1', port: 0 },
    token: TOKEN,
    frame,
    pages: decisions === undefined ? pages : { ...pages, decisions },
  });
  const { port } = new URL(await server.start());
  try {
    await work(async ({ path = `/${TOKEN}/`, method = 'GET', host }: Question = {}) => {
      const sent = request({ host: '127.0.0.1', port, path, method, ...(host === undefined ? {} : { headers: { host } }), agent: false });
      sent.end();
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      const chunks: Buffer[] = [];
      for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk);
      return { code: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks).toString() };
    }, Number(port));
  } finally {
    await server.stop();
  }
}

describe(ConsoleServer, () => {
  it('given the printed address, then its pages are served, and nothing in them may come from or go elsewhere', () =>
    withServer(async (ask) => {
      for (const path of ['', 'rules', 'graph', 'decisions', 'delete', 'teardown', 'style.css', 'script.js', 'icon.svg']) {
        const { code, headers } = await ask({ path: `/${TOKEN}/${path}` });

        expect({ path, code }).toEqual({ path, code: 200 });
        expect(headers['content-security-policy']).toMatch(
          /^default-src 'none'; script-src 'self'; style-src 'self';.*frame-ancestors 'none'$/,
        );
        expect(headers['content-security-policy']).not.toMatch(/unsafe|\*|https?:/);
        expect(headers).toMatchObject({
          'referrer-policy': 'no-referrer',
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
        });
      }
      expect(await ask({ path: `/${TOKEN}` })).toMatchObject({ code: 308, headers: { location: `/${TOKEN}/` } });
    }));

  it.each<{ given: string; question: Question; code: number }>([
    { given: 'no token', question: { path: '/' }, code: 403 },
    { given: 'another token', question: { path: `/${TOKEN}x/` }, code: 403 },
    { given: 'a page of another token', question: { path: '/another/rules' }, code: 403 },
    { given: 'a style sheet of another token', question: { path: '/another/style.css' }, code: 403 },
    { given: 'a path that turns back', question: { path: `/x/../${TOKEN}/` }, code: 403 },
    { given: 'a page that is none', question: { path: `/${TOKEN}/nothing` }, code: 404 },
    { given: 'a host that somebody made point here', question: { host: 'evil.example.com' }, code: 421 },
    { given: 'a method that may change something', question: { method: 'POST' }, code: 405 },
    { given: 'a method that asks what is allowed across sites', question: { method: 'OPTIONS' }, code: 405 },
  ])('given $given, then the answer is $code without a word about kcp', ({ question, code }) =>
    withServer(async (ask) => {
      const answer = await ask(question);

      expect(answer.code).toBe(code);
      expect(answer.body).not.toContain('kcp.example.com');
      expect(answer.body).not.toContain(TOKEN);
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }),
  );

  it('given the name localhost, then it answers; given another port in the Host, then not', () =>
    withServer(async (ask, port) => {
      expect(await ask({ host: `localhost:${String(port)}` })).toMatchObject({ code: 200 });
      expect(await ask({ host: 'localhost:1' })).toMatchObject({ code: 421 });
    }));

  it('given a view that fails, then the page says why, and is read again', () =>
    withServer(
      async (ask) => {
        const { code, body } = await ask({ path: `/${TOKEN}/decisions` });

        expect(code).toBe(200);
        expect(body).toContain('kcp is away');
        expect(body).toContain('data-every="10"');
      },
      () => Promise.reject(new Error('kcp is away')),
    ));

  it('given fields that are too long or come twice, then a view gets the beginning, and none', () =>
    withServer(
      async (ask) => {
        const { body } = await ask({ path: `/${TOKEN}/decisions?search=${'x'.repeat(5_000)}&verdict=a&verdict=b` });

        expect(body).toContain(`got ${JSON.stringify({ search: 500 }).replaceAll('"', '&#34;')}`);
      },
      (asked) => {
        const lengths = Object.fromEntries(Object.entries(asked).map(([key, value]) => [key, value.length]));
        return Promise.resolve({ view: 'decisions', title: 'x', summary: '', content: html`got ${JSON.stringify(lengths)}` });
      },
    ));

  it('given a port that is taken, then the flag is named', () =>
    withServer(async (_ask, port) => {
      const frame = { depCtrl: '0.1.0', server: '', context: '' };
      const second = new ConsoleServer({ address: { host: '127.0.0.1', port }, token: TOKEN, pages: pagesOf(manyTypes(3)), frame });

      await expect(second.start()).rejects.toThrow(`--address: cannot listen on 127.0.0.1:${String(port)}: the port is taken`);
      await second.stop();
    }));
});
