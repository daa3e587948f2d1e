// The operator as a program of its own: node operator-process.mjs KUBECONFIG CLUSTER EXPORT IDENTITY ZONE FILE
// A reconcile of ZONE never yields. FILE says when it led.
import { clusterNamed, connect } from '../connect.js';
import { recordTerms } from '../recorded-terms.js';
import { ZonesOperator } from './zones-operator.js';

const [kubeconfig = '', cluster = '', exportName = '', identity = '', endless = '', file = ''] = process.argv.slice(2);
const connection = connect(kubeconfig);
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());

const operator = new ZonesOperator({
  connection,
  workspace: connection.cluster(clusterNamed(cluster)),
  exportName,
  identity,
  before: (zone) => {
    while (zone === endless);
    return Promise.resolve();
  },
});
const ended = recordTerms(file, () => operator.leadership.isLeader());
await operator.run(stop.signal);
ended();
await connection.close();
