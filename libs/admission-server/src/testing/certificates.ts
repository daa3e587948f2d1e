import 'reflect-metadata';
import { mintAuthority, mintServingPair, type Authority } from '../certificates/mint.js';
import type { ServingPair } from '../certificates/serving-pair.js';

/** A CA and a pair for 127.0.0.1 that it signs. */
export interface TestCertificates {
  readonly authority: Authority;
  readonly pair: ServingPair;
}

/** New certificates, valid now. */
export async function testCertificates(nowMs: number = Date.now()): Promise<TestCertificates> {
  const authority = await mintAuthority(nowMs);
  return { authority, pair: await mintServingPair(authority, ['127.0.0.1'], nowMs) };
}
