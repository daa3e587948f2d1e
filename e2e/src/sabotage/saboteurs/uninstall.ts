import type { Saboteur } from '../saboteur.js';

const PLAN_REMOVAL = 'apps/dep-ctrl/src/uninstall/plan-removal.ts';
const FIND_REMOVALS = 'apps/dep-ctrl/src/uninstall/find-removals.ts';
const RUN_UNINSTALL = 'apps/dep-ctrl/src/uninstall/run-uninstall.ts';
const REMOVE_IN_ORDER = 'apps/dep-ctrl/src/uninstall/remove-in-order.ts';

/** Something is left where dep-ctrl is uninstalled. */
export const uninstall: readonly Saboteur[] = [
  {
    name: 'uninstall-skips-configurations',
    does: 'does not see the configurations when it uninstalls',
    changes: [
      {
        file: REMOVE_IN_ORDER,
        now: 'const all = places.flatMap((place) => place.removals.map((removal) => ({ place, removal })));\n  const [first',
        instead:
          "const all = places.flatMap((place) => place.removals.map((removal) => ({ place, removal }))).filter(({ removal }) => removal.action !== 'delete-configuration');\n  const [first",
      },
    ],
    fails: {
      'S6.4': 'a configuration is left',
      'S7.13': 'admission configuration removed',
      'S7.25': 'a configuration is left',
      'S14.6': 'a configuration is left',
    },
  },
  {
    name: 'uninstall-ends-well-anyway',
    does: 'ends without an error where an uninstall could not remove everything',
    changes: [{ file: RUN_UNINSTALL, now: 'if (left > 0) throw new Error(', instead: 'if (left < 0) throw new Error(' }],
    fails: { 'S7.25': 'it ended with ' },
  },
  {
    name: 'uninstall-forgets-guards',
    does: 'leaves the guards where it uninstalls',
    changes: [{ file: PLAN_REMOVAL, now: '...guards.flatMap(guardRemoval),', instead: '...guards.slice(0, 0).flatMap(guardRemoval),' }],
    fails: { 'S6.4': 'a guard is left' },
  },
  {
    name: 'uninstall-forgets-rules',
    does: 'leaves the rules as they are where it uninstalls',
    changes: [{ file: PLAN_REMOVAL, now: '...rules.filter(saysLookedAfter)', instead: '...rules.slice(0, 0)' }],
    fails: { 'S6.4': 'says that it is in force' },
  },
  {
    name: 'uninstall-stops-at-a-guard',
    does: 'removes one configuration at most while a guard does not go',
    changes: [
      {
        file: REMOVE_IN_ORDER,
        now: 'for (const { place, removal } of first) configurations.push(await removeOne(place, removal, options));',
        instead:
          "for (const { place, removal } of first.filter(({ removal: { action } }, n) => action === 'delete-admission' || n < 2)) configurations.push(await removeOne(place, removal, options));",
      },
    ],
    fails: { 'S7.13': 'admission configuration removed' },
  },
  {
    name: 'uninstall-leaves-the-door',
    does: 'leaves the configuration about written rules where it uninstalls',
    changes: [
      {
        file: FIND_REMOVALS,
        now: 'removals: isOurs ? ',
        instead: 'removals: isOurs && owner.length < 0 ? ',
      },
    ],
    fails: {
      'S6.4': 'a rule is written',
      'S7.13': 'a rule is written',
      'S7.25': 'a rule is written',
      'S11.5': 'admission configuration removed',
    },
  },
  {
    name: 'uninstall-leaves-the-protection',
    does: 'leaves the workspace of dep-ctrl protected where it uninstalls',
    changes: [
      {
        file: FIND_REMOVALS,
        now: 'return { name: PROTECTION_PLACE, removals, paths',
        instead: 'return { name: PROTECTION_PLACE, removals: removals.slice(0, 0), paths',
      },
    ],
    fails: { 'S6.14': 'ValidatingAdmissionPolicy dep-ctrl-workspace-' },
  },
  {
    name: 'uninstall-marks-one-rule',
    does: 'tells one rule of a provider that it is not looked after any more',
    changes: [{ file: PLAN_REMOVAL, now: '...rules.filter(saysLookedAfter)', instead: '...rules.filter(saysLookedAfter).slice(0, 1)' }],
    fails: { 'S6.4': 'says that it is in force' },
  },
];
