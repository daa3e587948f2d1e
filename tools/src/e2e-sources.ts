/* eslint-disable @nx/enforce-module-boundaries -- the suites export nothing, and their data is what a page is generated from */
export { ALL_SABOTEURS } from '../../e2e/src/sabotage/all-saboteurs.js';
export { trialsOf, type Trial } from '../../e2e/src/sabotage/saboteur.js';
export { ALL_SCENARIOS } from '../../e2e/src/scenarios/all-scenarios.js';
