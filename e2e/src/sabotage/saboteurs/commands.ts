import type { Saboteur } from '../saboteur.js';

/** A command leaves something behind, or says something else than what is. */
export const commands: readonly Saboteur[] = [
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
    name: 'doctor-misses-the-webhook',
    does: 'says in doctor of a webhook that cannot be reached that it answers',
    changes: [
      {
        file: 'apps/dep-ctrl/src/doctor/print-doctor.ts',
        now: '    ...findings,\n',
        instead: "    ...findings,\n    broken: findings.broken.filter(({ id }) => id !== 'webhook-answers'),\n",
      },
    ],
    fails: { 'S6.7': 'webhook-answers' },
  },
  {
    name: 'explain-forgets-what-was-handed-over',
    does: 'explains deletions without the configurations that were handed over',
    changes: [
      {
        file: 'apps/dep-ctrl/src/explain/explanation.ts',
        now: "const mode = asked === HANDED_OVER ? HANDED_OVER : 'enforcing';",
        instead: "const mode = asked === 'unknown' ? HANDED_OVER : 'enforcing';",
      },
    ],
    fails: { 'S6.8': 'the rules are not back' },
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
  {
    name: 'namespace-is-not-asked-about',
    does: 'empties a namespace before it knows whether kcp lets it go',
    changes: [
      {
        file: 'apps/dep-ctrl/src/namespace-deletion/run-delete-namespace.ts',
        now: 'await client.delete(NAMESPACES, { name: namespace }, { dryRun: true, signal });',
        instead: 'await Promise.resolve();',
      },
    ],
    fails: { 'S4.11': 'answered 404, expected 200' },
  },
  {
    name: 'protects-every-workspace',
    does: 'has kcp refuse the deletion of every workspace where one is protected',
    changes: [
      {
        file: 'apps/dep-ctrl/src/own-objects/home-protection.ts',
        now: "oldObject.?spec.?cluster.orValue('') == '${home}'",
        instead: "'${home}' != ''",
      },
    ],
    fails: { 'S6.14': 'answered 403, expected 200' },
  },
  {
    name: 'refuses-teardown-of-workspaces',
    does: 'refuses what kcp itself deletes in the namespace that every workspace has',
    changes: [
      {
        file: 'apps/dep-ctrl/src/webhook/decision/decide-at-once.ts',
        now: 'if (review.request.subject.isBypassed)',
        instead:
          "if (review.request.caller.username === 'system:apiserver' && review.request.subject.namespace === 'default') return decideBroken(mode);\n      if (review.request.subject.isBypassed)",
      },
    ],
    fails: { 'S4.8': 'apis/tenancy.kcp.io/v1alpha1/workspaces/' },
  },
  {
    name: 'bypass-is-silent',
    does: 'says nothing where an annotation lets an object go',
    changes: [
      {
        file: 'apps/dep-ctrl/src/webhook/decision/deny-message.ts',
        now: 'return [`${subject} is not protected: it is annotated ${SKIP_ANNOTATION}=true`];',
        instead: 'return [];',
      },
    ],
    fails: { 'S1.10': '/skip-protection|protection/' },
  },
  {
    name: 'doubts-say-nothing',
    does: 'does not say what it could not find out',
    changes: [
      {
        file: 'apps/dep-ctrl/src/webhook/decision/deny-message.ts',
        now: 'const whys = reasons.map(({ kind, why }) => `cannot tell whether a ${kind} still refers to it, as ${why}`);',
        instead: "const whys = reasons.map(() => 'it is not known');",
      },
    ],
    fails: { 'S7.15': 'cannot tell whether a VM still refers to it' },
  },
  {
    name: 'finalizers-are-not-named',
    does: 'does not say which finalizers a namespace waits for',
    changes: [
      {
        file: 'apps/dep-ctrl/src/namespace-deletion/progress.ts',
        now: '...(waiting.length === 0 ? [] : [`${String(waiting.length)} wait for their finalizers (${shown})`]),',
        instead: '...(waiting.length >= 0 ? [] : [shown]),',
      },
    ],
    fails: { 'S4.9': 'it names the finalizer' },
  },
  {
    name: 'makes-another-url-token',
    does: 'writes a new URL token where bootstrap is run again',
    changes: [
      {
        file: 'apps/dep-ctrl/src/bootstrap/url-token-file.ts',
        now: "flag: 'wx'",
        instead: "flag: 'w'",
      },
    ],
    fails: { 'S6.1': 'the URL token is another one' },
  },
  {
    name: 'explains-in-namespaces-only',
    does: 'explains nothing about what is in no namespace',
    changes: [
      {
        file: 'apps/dep-ctrl/src/explain/find-subject.ts',
        now: "if (!isKcpError(error, 'not-found', 'not-served')) throw error;\n    return getWithoutNamespace",
        instead: "if (!isKcpError(error, 'expired')) throw error;\n    return getWithoutNamespace",
      },
    ],
    fails: { 'S7.15': 'lacks' },
  },
];
