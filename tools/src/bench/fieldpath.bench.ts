// Reading references from a page of 500 objects of 2 KB: against JSON.parse and a walk written by hand, and against not parsing at all.

import { couldHold, parseFieldPath, readFieldPath, readReferences, type FieldPath } from '@dep-ctrl/fieldpath';
import { microsecondsOf, report } from './measure.js';

const OBJECTS = 500;
const objects = Array.from({ length: OBJECTS }, (_, index) => virtualMachine(index));
const page = Buffer.from(
  JSON.stringify({ kind: 'VirtualMachineList', apiVersion: 'compute.example.com/v1', metadata: { resourceVersion: '1' }, items: objects }),
);

const vpc = path('.spec.vpcRef.name');
const disks = path('.spec.disks[*].volume');
const namespaces = path('.spec.disks[*].namespace');

interface Machine {
  readonly spec: { readonly vpcRef?: { readonly name?: unknown } };
}

const parse = microsecondsOf(() => parsePage());
const parsed = parsePage();
const byHand = microsecondsOf(() => parsed.filter((object) => object.spec.vpcRef?.name === 'my-vpc').length);
const read = microsecondsOf(() => parsed.filter((object) => readFieldPath(object, vpc).includes('my-vpc')).length);
const fanned = microsecondsOf(() => parsed.filter((object) => readFieldPath(object, disks).includes('my-volume')).length);
const paired = microsecondsOf(
  () => parsed.filter((object) => readReferences(object, disks, namespaces).some(({ name }) => name === 'my-volume')).length,
);
const scan = microsecondsOf(() => couldHold(page, 'my-vpc'));
const scanFour = microsecondsOf(() =>
  couldHold(
    page,
    Array.from({ length: 4 }, (_, index) => `my-vpc-${String(index)}`),
  ),
);

if (couldHold(page, 'my-vpc') || !couldHold(page, 'vpc-7')) throw new Error('the page is not the one this measures');

report('fieldpath', [
  { what: `page of ${String(OBJECTS)} objects`, value: page.length / 1024, unit: 'KiB' },
  { what: 'JSON.parse of the page', value: parse, unit: 'us' },
  { what: 'walk written by hand over the parsed page', value: byHand, unit: 'us' },
  { what: 'readFieldPath over the parsed page', value: read, unit: 'us' },
  { what: 'readFieldPath with [*] over 3 disks each', value: fanned, unit: 'us' },
  { what: 'readReferences with namespaces', value: paired, unit: 'us' },
  { what: 'couldHold on the raw page, name absent', value: scan, unit: 'us' },
  { what: 'couldHold for 4 names, all absent', value: scanFour, unit: 'us' },
  { what: 'parse and read, against parse and walk by hand', value: (parse + read) / (parse + byHand), unit: 'x', goal: { atMost: 1.1 } },
  { what: 'parse and walk by hand, against the byte scan', value: (parse + byHand) / scan, unit: 'x', goal: { atLeast: 10 } },
]);

function parsePage(): readonly Machine[] {
  return (JSON.parse(page.toString()) as { items: Machine[] }).items;
}

/** About 2 KB, with what real objects carry: managed fields and the last applied configuration, which is full of escaped quotes. */
function virtualMachine(index: number): object {
  const name = `vm-${String(index)}`;
  const spec = {
    vpcRef: { name: `vpc-${String(index % 10)}` },
    disks: [0, 1, 2].map((disk) => ({ volume: `volume-${String(index)}-${String(disk)}`, namespace: 'default', sizeGiB: 20 })),
    image: 'registry.example.com/images/debian@sha256:0123456789abcdef0123456789abcdef',
    userData: '#cloud-config\nusers:\n- name: "admin"\n  sudo: ALL\n',
  };
  const fields = Object.fromEntries(Object.keys(spec).map((key) => [`f:${key}`, { '.': {}, 'f:name': {} }]));
  return {
    apiVersion: 'compute.example.com/v1',
    kind: 'VirtualMachine',
    metadata: {
      name,
      namespace: 'default',
      uid: `0e1d5e0c-8f1f-4a6e-9d55-${String(index).padStart(12, '0')}`,
      resourceVersion: String(1000 + index),
      generation: 1,
      creationTimestamp: '2026-01-01T00:00:00Z',
      annotations: {
        'kcp.io/cluster': '1k7ez4pisisnd9rg',
        'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({
          apiVersion: 'compute.example.com/v1',
          kind: 'VirtualMachine',
          metadata: { name },
          spec,
        }),
      },
      managedFields: [
        {
          manager: 'kubectl',
          operation: 'Apply',
          apiVersion: 'compute.example.com/v1',
          time: '2026-01-01T00:00:00Z',
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:spec': fields },
        },
      ],
    },
    spec,
    status: {
      phase: 'Running',
      conditions: [
        { type: 'Ready', status: 'True', reason: 'Started', message: 'the machine is running', lastTransitionTime: '2026-01-01T00:00:00Z' },
      ],
    },
  };
}

function path(text: string): FieldPath {
  const parsedPath = parseFieldPath(text);
  if (!parsedPath.ok) throw new Error(parsedPath.problem.message);
  return parsedPath.value;
}
