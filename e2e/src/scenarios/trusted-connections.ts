import { deepEqual, ok } from 'node:assert/strict';
import { steadyLoad } from '../faults/steady-load.js';
import { calledBy } from './called-by.js';
import { servedCertificate } from './served-certificate.js';
import type { Cloud, World } from './world.js';

const PER_SECOND = 10;
// What a machine that has other things to do comes to.
const LEAST_PER_SECOND = 1;

/**
 * Works while new connections to the webhook are made all the time: each has to be served what kcp trusts at that moment. kcp keeps the connections that it
 * has, so that whether it needs a new one just then is chance.
 */
export async function trustedMeanwhile(
  own: World,
  { network }: Cloud,
  { port, host }: { readonly port: number; readonly host: string },
  work: () => Promise<void>,
): Promise<void> {
  const act = async (): Promise<string> => servedCertificate(port, host, (await calledBy(own, network.workspace.at)).ca);

  const { answers, failures, seconds } = await steadyLoad({ perSecond: PER_SECOND, act }, work);

  deepEqual(failures, [], 'a connection failed');
  ok(answers.length >= LEAST_PER_SECOND * seconds, `only ${answers.length} connections in ${seconds.toFixed(0)} s`);
}
