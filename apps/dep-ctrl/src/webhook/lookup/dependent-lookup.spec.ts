import { setMaxListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import type { KcpErrorCode } from '@dep-ctrl/kcp-client';
import { ManualClock, settled } from '@dep-ctrl/kcp-client/testing';
import { defaultReadLimits, WorkspaceLists, WorkspacePages } from '@dep-ctrl/shared-lists';
import { BindingReads, SchemaMemory } from '@dep-ctrl/exported-types';
import { pathOf } from '../../testing/path-of.js';
import { DependentLookup } from './dependent-lookup.js';
import { TypeLookup } from './type-lookup.js';
import { silentObserver } from '../decision/review-observer.js';
import type { Finding } from '../decision/lookup.js';
import { clusterScoped, subject } from '../testing/builders.js';
import { computeBinding, computeSchema, match, virtualMachine } from '../testing/objects.js';
import { failure, ScriptedWorkspaces } from '../testing/scripted-workspaces.js';

const COLUMN = { name: 'Column 0', type: 'string', jsonPath: '.spec.vpcRef.name' };
const { signal: forever } = new AbortController();
setMaxListeners(0, forever);

describe(DependentLookup, () => {
  describe('whole objects', () => {
    it('given a type that the consumer has not bound, then nothing of it is listed', async () => {
      const stage = new Stage();
      stage.kcp.put('consumer', 'apibindings');

      expect(print(await stage.find())).toEqual(['not-bound']);
      expect(stage.forms()).toEqual(['apibindings objects']);
    });

    it('given a binding to the address of the exporter and to another cluster, then it was replaced; whose address that is, kcp has to have said', async () => {
      const stage = new Stage();
      stage.kcp.put('consumer', 'apibindings', computeBinding({ exporter: 'old' }));

      const path = pathOf('root:providers:compute');
      expect(print(await stage.find({ matches: [match({ rule: { path } })] }))).toEqual(['export-recreated']);
      expect(print(await stage.find({ matches: [match()] }))).toEqual(['not-bound']);
    });

    it('given dependents among others, then those that refer to the subject are found by one list of the namespace', async () => {
      const stage = new Stage();
      stage.kcp.put(
        'consumer',
        'virtualmachines',
        virtualMachine('a', 'my-vpc'),
        virtualMachine('b', 'other'),
        virtualMachine('c', 'my-vpc'),
      );

      expect(print(await stage.find())).toEqual(['listed: a c']);
      expect(stage.kcp.reads.at(-1)).toMatchObject({ resource: 'virtualmachines', form: 'objects', namespace: 'default' });
    });

    it('given a dependency without a namespace, then all namespaces are listed', async () => {
      const stage = new Stage();
      stage.kcp.put('consumer', 'virtualmachines', virtualMachine('a', 'my-vpc', { namespace: 'prod' }));

      expect(print(await stage.find({ of: clusterScoped() }))).toEqual(['listed: a']);
      expect(stage.kcp.reads.at(-1)?.namespace).toBeUndefined();
    });

    it('given two rules and two paths of one type, then there is still one list', async () => {
      const stage = new Stage();
      const backup = { ...virtualMachine('b', 'other'), spec: { backupRef: { name: 'my-vpc' } } };
      stage.kcp.put('consumer', 'virtualmachines', virtualMachine('a', 'my-vpc'), backup);

      const findings = await stage.find({
        matches: [match(), match({ fieldPath: '.spec.backupRef.name' }), match({ rule: { name: 'warns', enforcement: 'Warn' } })],
      });

      expect(print(findings)).toEqual(['listed: a', 'listed: b', 'listed: a']);
      expect(stage.forms().filter((form) => form.startsWith('virtualmachines'))).toHaveLength(1);
    });

    it('given more dependents than a refusal names, then reading stops after the page that has enough', async () => {
      const stage = new Stage();
      stage.kcp.pageSize = 20;
      stage.kcp.put('consumer', 'virtualmachines', ...many(100, 'my-vpc'));

      expect(print(await stage.find())).toEqual([
        `enough: ${many(20, 'my-vpc')
          .map(({ metadata }) => metadata.name)
          .join(' ')}`,
      ]);
    });

    it('given that the list ends with the page that has enough, then the count is exact', async () => {
      const stage = new Stage();
      stage.kcp.put('consumer', 'virtualmachines', ...many(30, 'my-vpc'));

      expect((await stage.find())[0]?.lookup.answer).toBe('listed');
    });

    // Took 15 s in one go: every rule read the bindings by itself.
    it('given thousands of rules of types that nobody has bound, then many deletions at once read the bindings together', async () => {
      const stage = new Stage();
      stage.kcp.put('consumer', 'apibindings');
      const matches = Array.from({ length: 3_000 }, (_, index) => match({ dependent: { resource: `things${index}` } }));

      const answers = await Promise.all(Array.from({ length: 10 }, () => stage.find({ matches })));

      expect(answers.flat().map(({ lookup }) => lookup.answer)).toEqual(Array(30_000).fill('not-bound'));
      expect(stage.forms()).toEqual(Array(2).fill('apibindings objects'));
    });

    it('given a type with enough to refuse, then other types are not waited for', async () => {
      const stage = new Stage();
      stage.kcp.put('consumer', 'virtualmachines', ...many(20, 'my-vpc'));
      stage.kcp.interfere = ({ resource }) => (resource === 'disks' ? new Promise(() => undefined) : undefined);
      stage.bind('disks');

      const findings = await stage.find({ matches: [match({ dependent: { resource: 'disks' } }), match()] });

      expect(findings.map(({ lookup }) => (lookup.answer === 'cannot-tell' ? lookup.failure.code : lookup.answer))).toEqual([
        'not-finished',
        'listed',
      ]);
    });

    it('given a version that is no longer served, then one that is served and has a string there is listed', async () => {
      const stage = new Stage();
      stage.kcp.put('consumer', 'virtualmachines', virtualMachine('a', 'my-vpc'));

      expect(print(await stage.find({ matches: [match({ dependent: { version: 'v0' } })] }))).toEqual(['listed: a']);
      expect(print(await stage.find({ matches: [match({ dependent: { version: 'v0' }, fieldPath: '.spec.nothing' })] }))).toEqual([
        'version-not-served',
      ]);
    });

    it('given a schema that cannot be read, then whole objects of all namespaces are listed, and the schema is not asked for again at once', async () => {
      const stage = new Stage({ columns: [COLUMN] });
      stage.kcp.interfere = ({ form }) => (form === 'get' ? 'forbidden' : undefined);
      stage.kcp.put('consumer', 'virtualmachines', virtualMachine('a', 'my-vpc'), virtualMachine('b', 'my-vpc', { namespace: 'prod' }));

      expect(print(await stage.find())).toEqual(['listed: a']);
      expect(print(await stage.find())).toEqual(['listed: a']);
      expect(stage.forms()).toEqual([
        'apibindings objects',
        'apiresourceschemas get',
        'virtualmachines objects',
        'apibindings objects',
        'virtualmachines objects',
      ]);

      await stage.clock.advance(10_000);
      await stage.find();
      expect(stage.forms().filter((form) => form === 'apiresourceschemas get')).toHaveLength(2);
    });

    it('given an exporter that does not answer, then its schema is waited for a second only, and whole objects are listed', async () => {
      const stage = new Stage({ columns: [COLUMN] });
      stage.kcp.interfere = ({ form }) => (form === 'get' ? 'timeout' : undefined);
      stage.kcp.put('consumer', 'virtualmachines', virtualMachine('a', 'my-vpc'));

      expect(print(await stage.find())).toEqual(['listed: a']);
      expect(stage.kcp.reads.find(({ form }) => form === 'get')).toMatchObject({ timeoutMs: 1_000 });
    });

    it('given the same schema again, then it is not read again', async () => {
      const stage = new Stage();
      await stage.find();
      await stage.find();

      expect(stage.forms().filter((form) => form === 'apiresourceschemas get')).toHaveLength(1);
    });

    it('given a schema that was replaced under its name, then it says nothing about what is bound', async () => {
      const stage = new Stage({ columns: [COLUMN] });
      stage.kcp.put('compute', 'apiresourceschemas', computeSchema({ uid: 'another', columns: [COLUMN.jsonPath] }));
      stage.kcp.put('consumer', 'virtualmachines', virtualMachine('a', 'my-vpc'));

      expect(print(await stage.find())).toEqual(['listed: a']);
      expect(stage.forms().at(-1)).toBe('virtualmachines objects');
    });
  });

  describe('Tables', () => {
    it('given a column that shows the reference, then a Table is listed and candidates are verified on the object', async () => {
      const stage = new Stage({ columns: [COLUMN] });
      stage.kcp.put('consumer', 'virtualmachines', virtualMachine('a', 'my-vpc'), virtualMachine('b', 'other'));

      expect(print(await stage.find())).toEqual(['listed: a']);
      expect(stage.forms()).toEqual(expect.arrayContaining(['virtualmachines table', 'virtualmachines get']));
      expect(stage.forms()).not.toContain('virtualmachines objects');
    });

    it('given no candidate, then the binding is read once more, by its name, before that is believed', async () => {
      const stage = new Stage({ columns: [COLUMN] });
      stage.kcp.put('consumer', 'virtualmachines', virtualMachine('b', 'other'));

      expect(print(await stage.find())).toEqual(['listed: ']);
      expect(stage.forms()).toEqual(['apibindings objects', 'apiresourceschemas get', 'virtualmachines table', 'apibindings get']);
    });

    it('given a type that has been unbound since the last review, then nothing of it is listed', async () => {
      const stage = new Stage({ columns: [COLUMN] });
      stage.kcp.put('consumer', 'virtualmachines', virtualMachine('a', 'my-vpc'));
      await stage.find();
      stage.kcp.reads.length = 0;

      stage.kcp.put('consumer', 'apibindings');

      expect(print(await stage.find())).toEqual(['not-bound']);
      expect(stage.forms()).toEqual(['apibindings objects']);
    });

    it('given a schema that has been replaced since, then the new one decides how to read', async () => {
      const stage = new Stage({ columns: [COLUMN] });
      stage.kcp.put('consumer', 'virtualmachines', virtualMachine('a', 'other'));
      await stage.find();
      stage.kcp.put('compute', 'apiresourceschemas', computeSchema({ uid: 'schema-2' }));
      stage.kcp.put('consumer', 'apibindings', computeBinding({ schemaUid: 'schema-2' }));
      stage.kcp.interfere = ({ form }) => {
        if (form === 'objects') stage.kcp.put('consumer', 'virtualmachines', virtualMachine('a', 'my-vpc'));
        return undefined;
      };

      expect(print(await stage.find())).toEqual(['listed: a']);
    });

    it.each<[KcpErrorCode, string]>([
      ['not-served', 'not-served'],
      ['forbidden', 'forbidden'],
      ['server-error', 'unavailable'],
    ])('given that the type is unbound before the list, which answers %s, then nobody can tell: %s', async (code, expected) => {
      const stage = new Stage({ columns: [COLUMN] });
      stage.kcp.interfere = ({ form }) => {
        if (form !== 'table') return undefined;
        stage.kcp.put('consumer', 'apibindings');
        return code;
      };
      const deadline = new AbortController();

      const found = stage.find({ signal: deadline.signal });
      await stage.clock.advance(5_000);
      deadline.abort(new Error('time is over'));

      expect(print(await found)).toEqual([expected]);
    });

    it('given that the binding is replaced by one of another name after the list, then the Table is not believed', async () => {
      const stage = new Stage({ columns: [COLUMN] });
      const { metadata, ...binding } = computeBinding({ schemaUid: 'schema-2' });
      stage.kcp.interfere = ({ form }) => {
        if (form === 'table') stage.kcp.put('consumer', 'apibindings', { ...binding, metadata: { ...metadata, name: 'another' } });
        if (form === 'objects') stage.kcp.put('consumer', 'virtualmachines', virtualMachine('a', 'my-vpc'));
        return undefined;
      };

      expect(print(await stage.find())).toEqual(['listed: a']);
    });

    it('given that the binding names another schema after the list, then the Table is not believed', async () => {
      const stage = new Stage({ columns: [COLUMN] });
      const hidden = virtualMachine('a', 'my-vpc');
      stage.kcp.put('consumer', 'virtualmachines');
      stage.kcp.interfere = ({ form }) => {
        if (form === 'table') stage.kcp.put('consumer', 'apibindings', computeBinding({ schemaUid: 'schema-2' }));
        if (form === 'objects') stage.kcp.put('consumer', 'virtualmachines', hidden);
        return undefined;
      };

      expect(print(await stage.find())).toEqual(['listed: a']);
      expect(stage.forms().at(-1)).toBe('virtualmachines objects');
    });

    it('given columns that are not those of the schema, then the Table is not believed', async () => {
      const stage = new Stage({ columns: [COLUMN] });
      stage.kcp.columns = [{ ...COLUMN, name: 'Another', jsonPath: '.spec.size' }];
      stage.kcp.put('consumer', 'virtualmachines', virtualMachine('a', 'my-vpc'));

      expect(print(await stage.find())).toEqual(['listed: a']);
      expect(stage.forms().at(-1)).toBe('virtualmachines objects');
    });

    it('given a Table that is still of an older schema, whose column of the same name shows another field, then it is not believed', async () => {
      const stage = new Stage({ columns: [COLUMN] });
      stage.kcp.columns = [{ ...COLUMN, jsonPath: '.spec.old' }];
      stage.kcp.put('consumer', 'virtualmachines', virtualMachine('a', 'my-vpc'));

      expect(print(await stage.find())).toEqual(['listed: a']);
      expect(stage.forms().at(-1)).toBe('virtualmachines objects');
    });

    it.each<KcpErrorCode>(['invalid', 'invalid-response'])(
      'given that Tables fail with %s, then whole objects are listed',
      async (code) => {
        const stage = new Stage({ columns: [COLUMN] });
        stage.kcp.interfere = ({ form }) => (form === 'table' ? code : undefined);
        stage.kcp.put('consumer', 'virtualmachines', virtualMachine('a', 'my-vpc'));

        expect(print(await stage.find())).toEqual(['listed: a']);
      },
    );

    it('given a candidate that refers to something else by the time it is read, then it does not block', async () => {
      const stage = new Stage({ columns: [COLUMN] });
      stage.kcp.put('consumer', 'virtualmachines', virtualMachine('a', 'my-vpc'));
      stage.kcp.interfere = ({ resource, form }) => {
        if (resource === 'virtualmachines' && form === 'get') stage.kcp.put('consumer', 'virtualmachines', virtualMachine('a', 'other'));
        return undefined;
      };

      expect(print(await stage.find())).toEqual(['listed: ']);
    });

    it('given a candidate that hands its reference to another object after the Table, then the other one blocks', async () => {
      const stage = new Stage({ columns: [COLUMN] });
      stage.kcp.put('consumer', 'virtualmachines', virtualMachine('a', 'my-vpc'), virtualMachine('b', 'other'));
      stage.kcp.interfere = ({ resource, form }) => {
        if (resource === 'virtualmachines' && form === 'get')
          stage.kcp.put('consumer', 'virtualmachines', virtualMachine('a', 'other'), virtualMachine('b', 'my-vpc'));
        return undefined;
      };

      expect(print(await stage.find())).toEqual(['listed: b']);
      expect(stage.forms().filter((form) => form === 'virtualmachines table')).toHaveLength(1);
    });

    it('given a candidate that is going after the Table and does not block then, then the one that took its reference over blocks', async () => {
      const stage = new Stage({ columns: [COLUMN] });
      const { metadata, ...object } = virtualMachine('a', 'my-vpc');
      const going = { ...object, metadata: { ...metadata, deletionTimestamp: 'x' } };
      stage.kcp.put('consumer', 'virtualmachines', virtualMachine('a', 'my-vpc'), virtualMachine('b', 'other'));
      stage.kcp.interfere = ({ resource, form }) => {
        if (resource === 'virtualmachines' && form === 'get')
          stage.kcp.put('consumer', 'virtualmachines', going, virtualMachine('b', 'my-vpc'));
        return undefined;
      };

      expect(print(await stage.find({ matches: [match({ rule: { whileTerminating: 'Ignore' } })] }))).toEqual(['listed: b']);
    });

    it('given candidates under rules that refuse nothing, then they are not read twice', async () => {
      const stage = new Stage({ columns: [COLUMN] });
      stage.kcp.put('consumer', 'virtualmachines', virtualMachine('a', 'my-vpc'));

      expect(print(await stage.find({ matches: [match({ rule: { enforcement: 'Warn' } })] }))).toEqual(['listed: a']);
      expect(stage.forms()).not.toContain('virtualmachines objects');
    });

    it('given the same name in two namespaces, then each is judged by its own namespace', async () => {
      const stage = new Stage({ columns: [COLUMN] });
      stage.kcp.put(
        'consumer',
        'virtualmachines',
        virtualMachine('a', 'my-vpc'),
        virtualMachine('a', 'my-vpc', { namespace: 'prod', uid: 'other' }),
      );

      const findings = await stage.find({ matches: [match({ namespacePath: '.spec.vpcRef.namespace' })] });

      expect(findings[0]?.lookup).toMatchObject({ answer: 'listed', dependents: [{ namespace: 'default', name: 'a' }] });
      expect(stage.forms()).toContain('virtualmachines named');
    });

    it('given more candidates than are worth verifying and enough of them block, then that is enough', async () => {
      const stage = new Stage({ columns: [COLUMN] });
      stage.kcp.put('consumer', 'virtualmachines', ...many(200, 'my-vpc'));

      expect((await stage.find())[0]?.lookup).toMatchObject({ answer: 'enough', dependents: { length: 10 } });
      expect(stage.forms()).not.toContain('virtualmachines objects');
    });

    it('given more candidates than are worth verifying and none of them blocks, then whole objects decide', async () => {
      const stage = new Stage({ columns: [COLUMN] });
      const going = many(200, 'my-vpc').map(({ metadata, ...object }) => ({
        ...object,
        metadata: { ...metadata, deletionTimestamp: 'x' },
      }));
      stage.kcp.put('consumer', 'virtualmachines', ...going, virtualMachine('zz', 'my-vpc'));

      expect(print(await stage.find({ matches: [match({ rule: { whileTerminating: 'Ignore' } })] }))).toEqual(['listed: zz']);
    });

    it('given many deletions at once, each with candidates of its own, then they read whole objects together', async () => {
      const stage = new Stage({ columns: [COLUMN] });
      const vpcs = Array.from({ length: 30 }, (_, index) => `vpc-${index}`);
      const machines = vpcs.flatMap((vpc) =>
        many(4, vpc).map((one) => ({ ...one, metadata: { ...one.metadata, name: `${vpc}-${one.metadata.name}` } })),
      );
      stage.kcp.put('consumer', 'virtualmachines', ...machines);

      const answers = await Promise.all(vpcs.map((name) => stage.find({ of: subject({ name }) })));

      expect(answers.map((findings) => print(findings)[0])).toEqual(
        vpcs.map((vpc) => `listed: ${[0, 1, 2, 3].map((index) => `${vpc}-vm-00${index}`).join(' ')}`),
      );
      const forms = stage.forms();
      expect(forms.filter((form) => form === 'virtualmachines get').length).toBeLessThanOrEqual(60); // of 120
      expect(forms.filter((form) => form === 'virtualmachines objects').length).toBeLessThanOrEqual(2);
    });

    it('given a candidate that is larger than what needs no slot, then it is asked for once more with one', async () => {
      const stage = new Stage({ columns: [COLUMN] });
      const large = { ...virtualMachine('a', 'my-vpc'), status: { text: 'x'.repeat(600_000) } };
      stage.kcp.put('consumer', 'virtualmachines', large);

      expect(print(await stage.find())).toEqual(['listed: a']);
      expect(stage.forms().filter((form) => form === 'virtualmachines get')).toHaveLength(2);
    });

    it('given a candidate that is not there any more, then whole objects decide', async () => {
      const stage = new Stage({ columns: [COLUMN] });
      stage.kcp.put('consumer', 'virtualmachines', virtualMachine('a', 'my-vpc'));
      stage.kcp.interfere = ({ resource, form }) => (resource === 'virtualmachines' && form === 'get' ? 'not-found' : undefined);

      expect(print(await stage.find())).toEqual(['listed: a']);
    });

    it('given that verifying fails, then nobody can tell', async () => {
      const stage = new Stage({ columns: [COLUMN] });
      stage.kcp.put('consumer', 'virtualmachines', virtualMachine('a', 'my-vpc'));
      stage.kcp.interfere = ({ resource, form }) => (resource === 'virtualmachines' && form === 'get' ? 'forbidden' : undefined);

      expect(print(await stage.find())).toEqual(['forbidden']);
    });
  });

  describe('what cannot be read', () => {
    const codes: readonly (readonly [KcpErrorCode, string])[] = [
      ['unauthorized', 'unauthorized'],
      ['forbidden', 'forbidden'],
      ['not-served', 'not-served'],
      ['not-found', 'not-served'],
      ['expired', 'changing'],
      ['invalid', 'unavailable'],
      ['timeout', 'timeout'],
      ['invalid-response', 'unreadable'],
    ];

    it.each(codes)('given %s for the list, then it is %s and never an empty list', async (code, expected) => {
      const stage = new Stage();
      stage.kcp.interfere = ({ resource }) => (resource === 'virtualmachines' ? code : undefined);

      expect(print(await stage.find())).toEqual([expected]);
    });

    it.each(codes.filter(([code]) => code !== 'not-found'))(
      'given %s for the binding after a Table without candidates, then it is %s and never an empty list',
      async (code, expected) => {
        const stage = new Stage({ columns: [COLUMN] });
        stage.kcp.interfere = ({ resource, form }) => (resource === 'apibindings' && form === 'get' ? code : undefined);

        expect(print(await stage.find())).toEqual([expected]);
      },
    );

    it('given that the second page is lost, then what the first said does not count', async () => {
      const stage = new Stage();
      stage.kcp.pageSize = 1;
      stage.kcp.put('consumer', 'virtualmachines', virtualMachine('a', 'other'), virtualMachine('b', 'my-vpc'));
      stage.kcp.betweenPages = () => {
        throw failure('forbidden');
      };

      expect(print(await stage.find())).toEqual(['forbidden']);
    });

    it('given a defect, then it is not mistaken for an answer of kcp', async () => {
      const stage = new Stage();
      stage.kcp.interfere = () => {
        throw new TypeError('a defect');
      };

      await expect(stage.find()).rejects.toThrow('a defect');
    });

    it('given that time runs out while a list hangs, then it is a timeout', async () => {
      const stage = new Stage();
      stage.kcp.interfere = ({ resource }) => (resource === 'virtualmachines' ? new Promise(() => undefined) : undefined);
      const deadline = new AbortController();

      const finding = stage.find({ signal: deadline.signal });
      await settled();
      deadline.abort(new Error('time is over'));

      expect(print(await finding)).toEqual(['timeout']);
    });
  });

  it('given parallel reviews of one workspace, then they share lists and each finds its own dependents', async () => {
    const stage = new Stage();
    stage.kcp.put('consumer', 'virtualmachines', ...many(40, 'vpc-1'), virtualMachine('last', 'vpc-2'));

    const [first, ...others] = await Promise.all(['vpc-1', 'vpc-2', 'vpc-3', 'vpc-2'].map((name) => stage.find({ of: subject({ name }) })));

    expect([first?.[0]?.lookup.answer, ...others.map((findings) => print(findings)[0])]).toEqual([
      'listed',
      'listed: last',
      'listed: ',
      'listed: last',
    ]);
    // How many depends on how busy the machine is; without sharing it is one for each.
    expect(stage.forms().filter((form) => form === 'virtualmachines objects').length).toBeLessThan(4);
  });
});

interface FindChange {
  readonly of?: ReturnType<typeof subject>;
  readonly matches?: readonly ReturnType<typeof match>[];
  readonly signal?: AbortSignal;
}

/** A consumer that has bound virtual machines, and a lookup that reads it. */
class Stage {
  readonly kcp = new ScriptedWorkspaces();
  readonly clock = new ManualClock();
  readonly #lookup: DependentLookup;
  readonly #reads: BindingReads;

  constructor({ columns = [] }: { readonly columns?: readonly (typeof COLUMN)[] } = {}) {
    this.kcp.columns = columns;
    this.kcp.put('consumer', 'apibindings', computeBinding());
    this.kcp.put('compute', 'apiresourceschemas', computeSchema({ columns: columns.map(({ jsonPath }) => jsonPath) }));
    const { clock } = this;
    const pages = new WorkspacePages({
      workspace: this.kcp.workspace,
      clock,
      observer: silentObserver,
      limits: defaultReadLimits,
      garbage: { add: () => undefined },
    });
    const lists = new WorkspaceLists({ pages, clock, of: 'dependents' });
    const reads = new BindingReads({ pages, clock });
    const schemas = new SchemaMemory({ read: (exporter, ref, reader) => reads.schema(exporter, ref, reader), clock });
    this.#reads = reads;
    this.#lookup = new DependentLookup({ types: new TypeLookup({ lists, reads, schemas }) });
  }

  /** Binds another resource of the compute provider. */
  bind(resource: string): void {
    const { status, ...binding } = computeBinding();
    const [bound] = (status as { boundResources: readonly object[] }).boundResources;
    this.kcp.put('consumer', 'apibindings', {
      ...binding,
      status: { apiExportClusterName: 'compute', boundResources: [bound, { ...bound, resource }] },
    });
  }

  /** What is bound is read first, as for every review. */
  async find({ of = subject(), matches = [match()], signal = forever }: FindChange = {}): Promise<readonly Finding[]> {
    const options = { signal, patienceMs: 5_000 };
    const bindings = await this.#reads.bindings(of.cluster, options);
    return this.#lookup.find(of, matches, { ...options, bindings });
  }

  forms(): readonly string[] {
    return this.kcp.reads.map(({ resource, form }) => `${resource} ${form}`);
  }
}

function many(count: number, vpc: string): readonly ReturnType<typeof virtualMachine>[] {
  return Array.from({ length: count }, (_, index) => virtualMachine(`vm-${String(index).padStart(3, '0')}`, vpc));
}

function print(findings: readonly Finding[]): readonly string[] {
  return findings.map(({ lookup }) => {
    if (lookup.answer === 'not-bound') return 'not-bound';
    if (lookup.answer === 'cannot-tell') return lookup.failure.code;
    return `${lookup.answer}: ${lookup.dependents.map(({ name }) => name).join(' ')}`;
  });
}
