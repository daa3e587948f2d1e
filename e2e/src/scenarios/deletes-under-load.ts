import { deepEqual, ok } from 'node:assert/strict';
import { steadyLoad } from '../faults/steady-load.js';
import { network } from './cloud-types.js';
import type { Cloud, World } from './world.js';

const PER_SECOND = 20;
// What a machine that has other things to do comes to.
const LEAST_PER_SECOND = 5;

/** Works under 20 deletes a second; half of them are to be refused, half to be allowed, and all of them must be. */
export async function deletesUnderLoad(own: World, work: (cloud: Cloud) => Promise<void>): Promise<void> {
  const { cloud, tenant, vpc } = await own.guardedPair();
  const act = async (number: number): Promise<string> => {
    if (number % 2 === 0) {
      const { status, text } = await own.kcp.admin.delete(`${vpc}?dryRun=All`);
      return status === 403 && text.includes('still referenced by') ? 'refused' : text;
    }
    const name = `free-${number}`;
    (await own.kcp.admin.post(tenant.vpcs, network('VPC', name))).expect(201);
    const { status, text } = await own.kcp.admin.delete(`${tenant.vpcs}/${name}`);
    return status === 200 ? 'deleted' : text;
  };

  const { answers, failures, seconds } = await steadyLoad({ perSecond: PER_SECOND, act }, () => work(cloud));

  deepEqual(failures, []);
  deepEqual(
    answers.filter((answer) => answer !== 'refused' && answer !== 'deleted'),
    [],
  );
  deepEqual([...new Set(answers)].toSorted(), ['deleted', 'refused']);
  ok(answers.length >= LEAST_PER_SECOND * seconds, `only ${answers.length} deletes in ${seconds.toFixed(0)} s`);
}
