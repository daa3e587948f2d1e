import type { Saboteur } from '../saboteur.js';

/** A command leaves something behind, or says something else than what is. */
export const commands: readonly Saboteur[] = [
  {
    name: 'uninstall-skips-configurations',
    does: 'does not see the configurations when it uninstalls',
    changes: [
      {
        file: 'apps/dep-ctrl/src/uninstall/remove-in-order.ts',
        now: 'const all = places.flatMap((place) => place.removals.map((removal) => ({ place, removal })));\n  const [first',
        instead:
          "const all = places.flatMap((place) => place.removals.map((removal) => ({ place, removal }))).filter(({ removal }) => removal.action !== 'delete-configuration');\n  const [first",
      },
    ],
    fails: { 'S6.4': 'a configuration is left', 'S7.13': 'admission configuration removed', 'S7.25': 'a configuration is left' },
  },
  {
    name: 'uninstall-stops-at-a-guard',
    does: 'removes one configuration at most while a guard does not go',
    changes: [
      {
        file: 'apps/dep-ctrl/src/uninstall/remove-in-order.ts',
        now: 'for (const { place, removal } of first) configurations.push(await removeOne(place, removal, options));',
        instead:
          "for (const { place, removal } of first.filter(({ removal: { action } }, n) => action === 'delete-admission' || n < 2)) configurations.push(await removeOne(place, removal, options));",
      },
    ],
    fails: { 'S7.13': 'admission configuration removed' },
  },
  {
    name: 'bootstrap-writes-again',
    does: 'writes what it finds as it should be',
    changes: [
      {
        file: 'libs/kcp-objects/src/ensure-object.ts',
        now: 'const merged = mergeDesired(observed, desired);',
        instead: 'const merged = mergeDesired(observed, desired) ?? observed;',
      },
    ],
    fails: { 'S6.1': 'updated' },
  },
  {
    name: 'explain-leaves-out-the-refusal',
    does: 'leaves out of explain what the refusal says',
    changes: [
      {
        file: 'apps/dep-ctrl/src/explain/explanation.ts',
        now: '...(answer.allowed ? {} : { message: answer.status.message }),',
        instead: "...(answer.allowed ? {} : { message: 'it is refused' }),",
      },
    ],
    fails: { 'S6.3': 'still referenced by', 'S7.15': 'lacks' },
  },
  {
    name: 'explain-deletes',
    does: 'deletes what it is to explain, if that is annotated so',
    changes: [
      {
        file: 'apps/dep-ctrl/src/explain/run-explain.ts',
        now: 'const reached = { baseUrl: connection.baseUrl, flags };',
        instead: `const reached = { baseUrl: connection.baseUrl, flags };
    const skipping = { ...found.object.metadata, annotations: { ...found.object.metadata.annotations, 'dependencies.opendefense.cloud/skip-protection': 'true' } };
    world.stdout.write(printExplanation(await explain(found, workspace, (work) => rehearseReviews(connection, context, work))));
    await connection.cluster(workspace).replace(found.type, { ...found.object, metadata: skipping }, world);
    const { name: own = '', namespace: of } = found.object.metadata;
    await connection.cluster(workspace).delete(found.type, { name: own, ...(of === undefined ? {} : { namespace: of }) }, world);`,
      },
    ],
    fails: { 'S6.3': 'answered 404, expected 200' },
  },
  {
    name: 'dry-runs-say-so',
    does: 'answers a dry run in other words than the delete',
    changes: [
      {
        file: 'apps/dep-ctrl/src/webhook/review/review-desk.ts',
        now: 'const answer = answerOf(decision, { subject: asked?.subject, caller: asked?.caller, mode: target.mode });',
        instead: `const plain = answerOf(decision, { subject: asked?.subject, caller: asked?.caller, mode: target.mode });
    const isRehearsed = asked?.isDryRun === true && !plain.allowed;
    const answer = isRehearsed ? { ...plain, status: { ...plain.status, message: \`\${plain.status.message} (dry run)\` } } : plain;`,
      },
    ],
    fails: { 'S1.9': '(dry run)', 'S7.15': '(dry run)' },
  },
  {
    name: 'silent-webhook-is-well',
    does: 'finds nothing wrong with a webhook that does not answer',
    changes: [
      {
        file: 'apps/dep-ctrl/src/status/status-view.ts',
        now: 'well: isWell(findings),',
        instead: "well: isWell({ ...findings, broken: findings.broken.filter(({ id }) => !id.startsWith('webhook-')) }),",
      },
      {
        file: 'apps/dep-ctrl/src/status/status-view.ts',
        now: 'problems: findings.broken,',
        instead: "problems: findings.broken.filter(({ id }) => !id.startsWith('webhook-')),",
      },
    ],
    fails: { 'S6.7': '"problems"' },
  },
  {
    name: 'protection-by-name',
    does: 'protects no workspace, as it compares the name of the workspace with the cluster',
    changes: [
      {
        file: 'apps/dep-ctrl/src/own-objects/home-protection.ts',
        now: "oldObject.?spec.?cluster.orValue('')",
        instead: "oldObject.?metadata.?name.orValue('')",
      },
    ],
    fails: { 'S6.14': 'the workspace is protected' },
  },
  {
    name: 'refuses-teardown',
    does: 'refuses what kcp itself deletes',
    changes: [
      {
        file: 'apps/dep-ctrl/src/webhook/decision/decide-at-once.ts',
        now: 'if (review.request.subject.isBypassed)',
        instead:
          "if (review.request.caller.username === 'system:apiserver') return decideBroken(mode);\n      if (review.request.subject.isBypassed)",
      },
    ],
    fails: { 'S4.8': 'is gone' },
  },
  {
    name: 'refused-is-final',
    does: 'never tries a refused delete of a namespace again',
    changes: [
      {
        file: 'apps/dep-ctrl/src/namespace-deletion/next-step.ts',
        now: 'const objects = left.length < leftThen ? staying : staying.filter(({ uid }) => !refused.has(uid));',
        instead: 'const objects = leftThen < 0 ? staying : staying.filter(({ uid }) => !refused.has(uid));',
      },
    ],
    fails: { 'S4.9': 'all but the slow pair is gone' },
  },
  {
    name: 'namespace-goes-anyway',
    does: 'deletes the namespace although objects in it were refused',
    changes: [
      {
        file: 'apps/dep-ctrl/src/namespace-deletion/next-step.ts',
        now: "return staying.length === left.length ? { kind: 'stuck', refused: staying } : { kind: 'wait' };",
        instead: "return staying.length === left.length ? { kind: 'done' } : { kind: 'wait' };",
      },
    ],
    fails: { 'S4.10': 'kcp removes the rest' },
  },
];
