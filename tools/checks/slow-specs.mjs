// `npm run test:slow`: the specs that try every case of many, each with a kcp or a process of its own. `npm test` leaves them out.
import { jestCheck } from './jest-check.mjs';
import { runChecks } from './running.mjs';

process.env.SLOW_SPECS = '1';
await runChecks([[[jestCheck('slow specs', ['--verbose', '\\.slow\\.spec\\.ts$'])]]]);
