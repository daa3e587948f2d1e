// The least that an HTTPS server can do with a review: it reads it and answers with what it was given, at once. A program of its own, as the webhook is one:
// node empty-server.mjs CERTIFICATE KEY ANSWER PORT_FILE. What a flood costs here is the floor of what it costs anywhere on this machine.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

const [certificate = '', key = '', answer = '', portFile = ''] = process.argv.slice(2);
const body = readFileSync(answer);
const server = createServer({ cert: readFileSync(certificate), key: readFileSync(key), minVersion: 'TLSv1.2' }, (request, response) => {
  request.resume();
  request.once('end', () => response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body));
});
// As many may wait as at the webhook.
server.listen({ port: 0, host: '127.0.0.1', backlog: 5_000 }, () => {
  writeFileSync(`${portFile}.new`, String((server.address() as AddressInfo).port));
  renameSync(`${portFile}.new`, portFile);
});
