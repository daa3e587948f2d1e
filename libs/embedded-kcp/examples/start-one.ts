/* eslint-disable no-console -- a program that says what it found */
import { EmbeddedKcp } from '@dep-ctrl/embedded-kcp';

const kcp = await EmbeddedKcp.start({ delays: 'fast' });

console.log(kcp.baseUrl); // the front-proxy; kcp.shards[0].url is the root shard
console.log(kcp.kubeconfig({ workspace: 'root:team' })); // for clients that read one, kubectl included
console.log(kcp.token('me', ['system:kcp:admin'])); // or kcp.clientCertificate('me', [...])

await kcp.stop();
