import assert from 'node:assert/strict';
import { defineCommandOf, optional, parsePort, parseText, required, withDefault } from '@dep-ctrl/command-settings';

const serve = defineCommandOf('MY_OPERATOR', {
  name: 'serve',
  about: 'Serves.',
  settings: {
    dir: required({ flag: '--tls-cert-dir', value: 'DIR', about: 'the certificate', parse: parseText }),
    port: withDefault({ flag: '--port', value: 'PORT', about: 'where to listen', parse: parsePort }, '9443'),
    name: optional({ flag: '--name', value: 'NAME', about: 'how it is called', parse: parseText }),
  },
  examples: [],
  check: (values) => ({ ok: true, value: values }),
  run: ({ dir, port }, { stdout }) => {
    stdout.write(`${dir} on ${port}\n`);
    return Promise.resolve();
  },
});
const given = new Map([['--port', ['https']]]);

assert.deepEqual(serve.prepare({ given: new Map(), operands: [] }, {}), {
  ok: false,
  problem: '--tls-cert-dir is missing: give it, or set MY_OPERATOR_TLS_CERT_DIR',
});
assert.deepEqual(serve.prepare({ given, operands: [] }, { MY_OPERATOR_TLS_CERT_DIR: '/tls' }), {
  ok: false,
  problem: '--port must be a port between 0 and 65535, not "https"',
});
assert.equal(serve.prepare({ given: new Map(), operands: [] }, { MY_OPERATOR_TLS_CERT_DIR: '/tls' }).ok, true);
