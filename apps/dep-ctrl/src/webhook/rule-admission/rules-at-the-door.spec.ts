// Rules as their authors write them, through kcp's API: the webhook on an embedded kcp, and the configuration that has kcp ask it.
import { afterEach, describe, expect, it } from '@jest/globals';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { parseUrlSecrets, type UrlSecrets } from '@dep-ctrl/admission-server';
import { deriveAdmissionToken, deriveUrlToken } from '../../url-tokens/url-tokens.js';
import { vmDependencies } from '../../dev/provider-manifests.js';
import { wire } from '../testing/reviews.js';
import { PATHS, RoleStage, type RoleStageOptions } from '../testing/role-stage.js';
import { checkRules, twice, writeRule } from '../testing/rules-on-stage.js';
import { writeReview, writtenRule } from '../testing/written-rules.js';

const stages: RoleStage[] = [];
const WITHIN_MS = 60_000;

describe('rules at the door', () => {
  afterEach(async () => {
    for (const stage of stages.splice(0)) await stage.stop();
  });

  it(
    'given a broken rule, then kcp refuses it with every problem in one text; given a doubtful one, then it warns; given a good one, then neither',
    async () => {
      const stage = await start();
      await checkRules(stage);
      const good = named('other', vmDependencies(PATHS.network));
      const broken = changed(twice(good), (dependencies) => [
        ...dependencies,
        ...dependencies.slice(0, 1).map((each) => ({ ...each, fieldRef: { path: '.spec.a[*].b', namespacePath: '.spec.c[*].d' } })),
      ]);
      const doubtful = changed(good, (dependencies) => [
        ...dependencies,
        ...dependencies.slice(0, 1).map((each) => ({ ...each, fieldRef: { path: '.spec.vpcRef.nam' } })),
        ...dependencies.slice(0, 1).map((each) => ({ ...each, apiExportRef: { path: 'root:nowhere', name: 'x' } })),
      ]);

      const refused = await writeRule(stage, 'POST', PATHS.compute, broken);
      const warned = await writeRule(stage, 'POST', PATHS.compute, doubtful);
      const admitted = await writeRule(stage, 'POST', PATHS.compute, good);

      expect(refused.status).toBe(422);
      expect(refused.message.split('\n')).toEqual([
        'admission webhook "admission.dependencies.opendefense.cloud" denied the request: DependencyRule twice: 2 problems',
        expect.stringMatching(/^- \.spec\.dependencies\[1\]: says the same as/),
        expect.stringMatching(/^- \.spec\.dependencies\[2\]\.fieldRef\.namespacePath: gives one name several namespaces/),
      ]);
      expect(warned).toMatchObject({
        status: 201,
        warnings: [expect.stringContaining('no workspace at root:nowhere'), expect.stringContaining('has no field .spec.vpcRef.nam')],
      });
      expect(admitted).toMatchObject({ status: 201, warnings: [] });
    },
    WITHIN_MS,
  );

  it(
    'given a path that no printer column shows, then the warning holds the column to add',
    async () => {
      const stage = await start();
      await checkRules(stage);
      const good = named('other', vmDependencies(PATHS.network));
      const byLabel = changed(good, (dependencies) =>
        dependencies.map((each) => ({ ...each, fieldRef: { path: '.metadata.labels.vpc' } })),
      );

      const { warnings } = await writeRule(stage, 'POST', PATHS.compute, byLabel);

      expect(warnings).toEqual([expect.stringMatching(/jsonPath: \\"\.metadata\.labels\.vpc\\"/)]);
    },
    WITHIN_MS,
  );

  it(
    'given URL secrets, then the token of rules under each of them is let in, and no other, nor none',
    async () => {
      const secrets = secretsOf('first-secret-of-the-test\nsecond-secret-of-the-test');
      const stage = await start({ urlSecrets: () => secrets });
      const post = async (token: string): Promise<number> => (await stage.post(`/admit${token}`, wire(writeReview(writtenRule())))).code;

      const answers = await Promise.all([
        ...secrets.map((secret) => post(`/${deriveAdmissionToken(secret)}`)),
        post(`/${deriveUrlToken(secrets[0], stage.compute)}`),
        post(`/${deriveAdmissionToken('another-secret-of-the-test' as UrlSecrets[0])}`),
        post(''),
        post('/'),
      ]);

      expect(answers).toEqual([200, 200, 404, 404, 404, 404]);
      const asDeletion = await stage.post(
        `/validate/${stage.network}/${deriveAdmissionToken(secrets[0])}`,
        wire(writeReview(writtenRule())),
      );
      expect(asDeletion.code).toBe(404);
    },
    WITHIN_MS,
  );
});

async function start(options: RoleStageOptions = {}): Promise<RoleStage> {
  const stage = await RoleStage.start(options);
  stages.push(stage);
  return stage;
}

function named(name: string, { metadata, ...rule }: KubeObject): KubeObject {
  return { ...rule, metadata: { ...metadata, name } };
}

function changed({ spec, ...rule }: KubeObject, change: (dependencies: readonly object[]) => readonly object[]): KubeObject {
  const { dependencies, ...others } = spec as { readonly dependencies: readonly object[] };
  return { ...rule, spec: { ...others, dependencies: change(dependencies) } };
}

function secretsOf(text: string): UrlSecrets {
  const secrets = parseUrlSecrets(text);
  if (!secrets.ok) throw new Error(secrets.problem);
  return secrets.value;
}
