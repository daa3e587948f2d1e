// A release that was never made: the same sources, but with a smaller API and a configuration of another content, so that an upgrade from it has as much
// to do as one from a real release. A clone without history and tags can build it too.
import { bundleChanged } from './changed-program.mjs';

/** The version that it says it is. */
const OLDER_VERSION = '0.0.1';

const RULE_KIND = 'libs/rule-registry/src/manifests/rule-kind.ts';

/** @type {readonly import('./changed-program.mjs').Change[]} */
const CHANGES = [
  // Without the field `whileTerminating` and the column of the condition `InForce`: another schema, to which bootstrap repoints the export.
  { file: RULE_KIND, now: /^ {4}whileTerminating: choiceOf\(.*\n/m, instead: '' },
  { file: RULE_KIND, now: "optional: ['enforcement', 'whileTerminating']", instead: "optional: ['enforcement']" },
  { file: RULE_KIND, now: /^ {4}\{\n {6}name: 'In force',\n(?:.*\n){3} {4}\},\n/m, instead: '' },
  // Configurations that the controller has to write again.
  {
    file: 'apps/dep-ctrl/src/controller/configuration/desired-webhooks.ts',
    now: "failurePolicy: 'Fail', timeoutSeconds: 10",
    instead: "failurePolicy: 'Fail', timeoutSeconds: 9",
  },
];

/** Bundles it; answers where it is. */
export function bundleOlder(outfile) {
  return bundleChanged(outfile, { version: OLDER_VERSION, changes: CHANGES });
}
