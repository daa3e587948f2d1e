import { deepEqual, equal, match, notEqual } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { eventually } from '../stage/eventually.js';
import { vpc, zone } from '../stage/example-types.js';
import { corner, type Corner } from '../stage/exports.js';
import type { Stage } from '../stage/stage.js';
import { deny, install, ruleFor, type CaseWebhook } from '../stage/webhooks.js';
import type { ConformanceCase } from './conformance-case.js';

interface Said {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** kubectl in a corner: with the admin kubeconfig, the corner's namespace, and a discovery cache of its own. */
function kubectlIn(kcp: Stage, { workspace, namespace }: Corner): (args: readonly string[], stdin?: string) => Promise<Said> {
  const cache = mkdtempSync(join(kcp.backend.workDir, 'kubectl-'));
  const server = kcp.front.url + workspace.at;
  const always = ['--kubeconfig', kcp.backend.adminKubeconfig, '--server', server, '--namespace', namespace, '--cache-dir', cache];
  return (args, stdin = '') =>
    new Promise((resolve) => {
      const child = execFile('kubectl', [...always, ...args], { timeout: 60_000 }, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : 1, stdout, stderr });
      });
      child.stdin?.end(stdin);
    });
}

/** H: kubectl, the client that everybody has. */
export const kubectl: readonly ConformanceCase[] = [
  {
    id: 'H1.1',
    title: 'kubectl get prints the printer columns',
    needs: ['kubectl'],
    run: async (kcp) => {
      const here = await corner(kcp);
      (await kcp.admin.post(here.vpcs, vpc('a', { ref: { name: 'r' }, size: 3 }))).expect(201);

      const { stdout, stderr, code } = await kubectlIn(kcp, here)(['get', 'vpcs']);

      equal(code, 0, stderr);
      const [head, row] = stdout.split('\n').map((line) => line.trim().split(/\s+/));
      deepEqual(head, ['NAME', 'REF', 'REFS', 'SIZE', 'AGE']);
      deepEqual(row?.slice(0, 4), ['a', 'r', '3', row?.[3]]);
    },
  },
  {
    id: 'H1.2',
    title: 'kubectl knows types by short name, by kind and by name with group',
    needs: ['kubectl'],
    run: async (kcp) => {
      const here = await corner(kcp);
      const run = kubectlIn(kcp, here);
      (await kcp.admin.post(here.vpcs, vpc('a'))).expect(201);

      for (const type of ['net', 'vpc', 'VPC', 'vpcs.network.example.com', 'vpcs.v1.network.example.com']) {
        const { stdout, stderr } = await run(['get', type, '-o', 'name']);
        equal(stdout, 'vpc.network.example.com/a\n', `${type}: ${stderr}`);
      }
    },
  },
  {
    id: 'H1.3',
    title: 'kubectl apply creates, changes, removes what is left out, and says unchanged; the same on the server',
    needs: ['kubectl'],
    run: async (kcp) => {
      const here = await corner(kcp);
      const run = kubectlIn(kcp, here);
      const full = stringify(vpc('a', { size: 1, cidr: '10.0.0.0/8' }));
      const less = stringify(vpc('a', { size: 2 }));

      for (const mode of [[], ['--server-side']]) {
        const verbs =
          mode.length === 0 ? ['created', 'configured', 'unchanged'] : ['serverside-applied', 'serverside-applied', 'serverside-applied'];
        for (const [index, manifest] of [full, less, less].entries()) {
          const { stdout, stderr } = await run(['apply', ...mode, '-f', '-'], manifest);
          equal(stdout, `vpc.network.example.com/a ${verbs[index] ?? ''}\n`, stderr);
        }
        deepEqual((await kcp.admin.get(`${here.vpcs}/a`)).body.spec, { size: 2, mode: 'routed' });
        (await kcp.admin.delete(`${here.vpcs}/a`)).expect(200);
      }
    },
  },
  {
    id: 'H1.4',
    title: 'kubectl refuses a field that the schema does not know',
    needs: ['kubectl'],
    run: async (kcp) => {
      const here = await corner(kcp);

      const { code, stderr } = await kubectlIn(kcp, here)(['apply', '-f', '-'], stringify(vpc('a', { odd: 1 })));

      equal(code, 1);
      match(stderr, /unknown field "spec\.odd"/);
    },
  },
  {
    id: 'H1.5',
    title: 'kubectl patch, annotate, label and delete work and say so',
    needs: ['kubectl'],
    run: async (kcp) => {
      const here = await corner(kcp);
      const run = kubectlIn(kcp, here);
      (await kcp.admin.post(here.vpcs, vpc('a'))).expect(201);

      const patched = await run(['patch', 'vpc', 'a', '--type', 'merge', '-p', '{"spec":{"size":4}}']);
      const annotated = await run(['annotate', 'vpc', 'a', 'k=v']);
      const labelled = await run(['label', 'vpc', 'a', 'k=v']);
      const { body } = (await kcp.admin.get(`${here.vpcs}/a`)).expect(200);
      const dry = await run(['delete', 'vpc', 'a', '--dry-run=server']);
      const deleted = await run(['delete', 'vpc', 'a']);

      equal(patched.stdout, 'vpc.network.example.com/a patched\n', patched.stderr);
      equal(annotated.stdout, 'vpc.network.example.com/a annotated\n', annotated.stderr);
      equal(labelled.stdout, 'vpc.network.example.com/a labeled\n', labelled.stderr);
      deepEqual([body.spec?.['size'], body.metadata.annotations?.['k'], body.metadata.labels?.['k']], [4, 'v', 'v']);
      match(dry.stdout, /vpc\.network\.example\.com "a" deleted.*\(server dry run\)/);
      match(deleted.stdout, /vpc\.network\.example\.com "a" deleted/);
    },
  },
  {
    id: 'H1.6',
    title: 'kubectl explain reads the schema, kubectl api-resources the types',
    needs: ['kubectl'],
    run: async (kcp) => {
      const run = kubectlIn(kcp, await corner(kcp));

      const explained = await run(['explain', 'vpcs.spec.size']);
      const types = await run(['api-resources', '--api-group', 'network.example.com']);

      match(explained.stdout, /FIELD: size <integer>/, explained.stderr);
      match(types.stdout, /vpcs\s+net\s+network\.example\.com\/v1\s+true\s+VPC/, types.stderr);
    },
  },
  {
    id: 'H1.7',
    title: 'kubectl wait and describe follow an object',
    needs: ['kubectl'],
    run: async (kcp) => {
      const here = await corner(kcp);
      const run = kubectlIn(kcp, here);
      (await kcp.admin.post(here.vpcs, vpc('a', { size: 3 }))).expect(201);

      const described = await run(['describe', 'vpc', 'a']);
      const waiting = run(['wait', 'vpc/a', '--for=jsonpath={.status.phase}=Up', '--timeout=30s']);
      (await kcp.admin.patch('merge', `${here.vpcs}/a/status`, { status: { phase: 'Up' } })).expect(200);
      const waited = await waiting;

      match(described.stdout, /^Name:\s+a$/m, described.stderr);
      match(described.stdout, /Size:\s+3/);
      equal(waited.stdout, 'vpc.network.example.com/a condition met\n', waited.stderr);
    },
  },
  {
    id: 'H1.8',
    title: 'kubectl prints what a server refuses',
    needs: ['kubectl'],
    run: async (kcp) => {
      const { stderr, code } = await kubectlIn(kcp, await corner(kcp))(['delete', 'vpc', 'none']);

      equal(code, 1);
      equal(stderr, 'Error from server (NotFound): vpcs.network.example.com "none" not found\n');
    },
  },
  {
    id: 'H1.9',
    title: 'kubectl create makes namespaces, config maps and service accounts, and reads them in tables of their own',
    needs: ['kubectl'],
    run: async (kcp) => {
      const here = await corner(kcp);
      const run = kubectlIn(kcp, here);

      const made = await run(['create', 'configmap', 'c', '--from-literal=k=v']);
      const account = await run(['create', 'serviceaccount', 's']);
      const listed = await run(['get', 'configmap', 'c']);
      const token = await run(['create', 'token', 's']);

      equal(made.stdout, 'configmap/c created\n', made.stderr);
      equal(account.stdout, 'serviceaccount/s created\n', account.stderr);
      match(listed.stdout, /^NAME\s+DATA\s+AGE\nc\s+1\s+/);
      match(token.stdout, /^[\w-]+\.[\w-]+\.[\w-]+\n?$/, token.stderr);
    },
  },
  {
    id: 'H1.10',
    title: 'kubectl auth can-i asks the server',
    needs: ['kubectl'],
    run: async (kcp) => {
      const run = kubectlIn(kcp, await corner(kcp));

      equal((await run(['auth', 'can-i', 'list', 'configmaps'])).stdout, 'yes\n');
    },
  },
  {
    id: 'H1.11',
    title: 'kubectl prints a refusal of a webhook with code 422 line by line, after its warnings; with causes it prints these alone',
    needs: ['kubectl'],
    run: async (kcp) => {
      const here = await corner(kcp);
      const run = kubectlIn(kcp, here);
      const message = 'cannot be read:\n- spec.a: no\n- spec.b: neither';
      const status = { code: 422, reason: 'Invalid', message };
      const details = { causes: [{ reason: 'FieldValueInvalid', message: 'no', field: 'spec.a' }] };
      const rules = [{ ...ruleFor('zones'), operations: ['CREATE', 'UPDATE'] }];
      const plain = await install(kcp, () => ({ allowed: false, status, warnings: ['doubtful'] }), { rules });
      const caused = await install(kcp, () => ({ allowed: false, status: { ...status, details } }), { rules });
      const forbidden = await install(kcp, deny(message), { rules });
      for (const hook of [plain, caused, forbidden]) {
        await eventually('the webhook acts', async () => {
          notEqual((await kcp.admin.post(`${here.zones}?dryRun=All`, zone('probe', { labels: hook.labels }))).status, 201);
        });
      }
      const said = (hook: CaseWebhook): string => `admission webhook "${hook.name}" denied the request: ${message}\n`;
      const manifest = (hook: CaseWebhook): string => stringify(zone(kcp.unique('z'), { labels: hook.labels }));

      for (const { args, place } of [
        { args: ['create'], place: 'error when creating "STDIN": ' },
        { args: ['apply'], place: 'error when creating "STDIN": ' },
        { args: ['apply', '--server-side'], place: '' },
      ]) {
        const { code, stdout, stderr } = await run([...args, '-f', '-'], manifest(plain));
        equal(stderr, `Warning: doubtful\nThe request is invalid: ${place}${said(plain)}`);
        deepEqual([code, stdout], [1, '']);
      }
      equal((await run(['create', '-f', '-'], manifest(caused))).stderr, 'The request is invalid: spec.a: no\n');
      equal(
        (await run(['create', '-f', '-'], manifest(forbidden))).stderr,
        `Error from server (Forbidden): error when creating "STDIN": ${said(forbidden)}`,
      );
    },
  },
  {
    id: 'H1.12',
    title: 'kubectl prints the warnings of an allowed create, change and dry run, and goes on',
    needs: ['kubectl'],
    run: async (kcp) => {
      const here = await corner(kcp);
      const run = kubectlIn(kcp, here);
      const rules = [{ ...ruleFor('zones'), operations: ['CREATE', 'UPDATE'] }];
      const hook = await install(kcp, () => ({ allowed: true, warnings: ['first', 'second: grün', 'two\nlines'] }), { rules });
      await eventually('the webhook acts', async () => {
        await kcp.admin.post(`${here.zones}?dryRun=All`, zone('probe', { labels: hook.labels }));
        notEqual(hook.asked.length, 0);
      });
      const name = kcp.unique('z');
      const applying = async (region: string, more: readonly string[] = []): Promise<Said> =>
        run(['apply', ...more, '-f', '-'], stringify({ ...zone(name, { labels: hook.labels }), spec: { region } }));

      for (const [said, verb] of [
        [await applying('a', ['--dry-run=server']), 'created (server dry run)'],
        [await applying('a'), 'created'],
        [await applying('b'), 'configured'],
      ] as const) {
        deepEqual(said, {
          code: 0,
          stdout: `zone.network.example.com/${name} ${verb}\n`,
          stderr: 'Warning: first\nWarning: second: grün\n',
        });
      }
    },
  },
];
