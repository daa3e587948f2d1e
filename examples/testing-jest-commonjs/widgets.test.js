const { TestKcp } = require('@dep-ctrl/embedded-kcp/testing');
const { Connection } = require('@dep-ctrl/kcp-client');

const WIDGETS = { group: 'widgets.example.com', version: 'v1', resource: 'widgets' };
let kcp, connection;

beforeAll(async () => {
  kcp = await TestKcp.start({
    workspaces: {
      'root:owner': { exports: { 'widgets.example.com': { types: [{ kind: 'Widget', spec: { size: 'integer' } }] } } },
      'root:team': { binds: ['root:owner:widgets.example.com'] },
    },
  });
  connection = new Connection(kcp.access('root:team'));
});
afterEach(() => kcp.expectHits()); // a fault that no request has met fails the test
afterAll(async () => {
  await connection.close();
  await kcp.stop();
});

test('a write that is refused once is refused, and the next one is not', async () => {
  const team = connection.ownWorkspace();
  const widget = { apiVersion: 'widgets.example.com/v1', kind: 'Widget', metadata: { name: 'w', namespace: 'default' }, spec: { size: 1 } };
  const options = { signal: AbortSignal.timeout(5_000) };
  kcp.fault({ method: 'POST', path: /\/widgets$/ }, { kind: 'answer', status: 503 }, { times: 1 });

  await expect(team.create(WIDGETS, widget, options)).rejects.toMatchObject({ code: 'unavailable' });

  expect((await team.create(WIDGETS, widget, options)).spec).toEqual({ size: 1 });
});

test('a fault that is never met fails the test', async () => {
  const never = kcp.withFault({ path: '/never' }, { kind: 'drop' }, async () => undefined);

  await expect(never).rejects.toThrow('was never hit');
});
