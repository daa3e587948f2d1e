// Everything that a release is made of can be made from this commit, and fits together. What this machine cannot make is said.
import { runChecks } from './running.mjs';

await runChecks([[[{ name: 'a release, as a dry run', command: ['npm', 'run', '--silent', 'release', '--', '--dry-run'] }]]]);
