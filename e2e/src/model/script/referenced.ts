// What dep-ctrl promises, in ten lines that share nothing with it: who keeps an object from being deleted.

/** Things live in namespaces, places do not. */
export type Resource = 'things' | 'places';

/** A type by its provider. */
export interface ModelType {
  readonly provider: number;
  readonly resource: Resource;
}

/** One reference as an object says it. */
export interface ModelReference {
  readonly name: string;
  readonly namespace?: string;
}

/** An object as a user wrote it. */
export interface ModelObject {
  readonly consumer: number;
  readonly type: ModelType;
  readonly namespace?: string;
  readonly name: string;
  /** By the field that holds them. */
  readonly references: Readonly<Record<Field, readonly ModelReference[]>>;
}

/** The fields that rules speak of. */
export type Field = 'ref' | 'refs' | 'peer';

/** A rule with one dependency. */
export interface ModelRule {
  readonly dependent: ModelType;
  readonly dependency: ModelType;
  readonly field: Field;
  readonly readsNamespace: boolean;
  readonly enforcement: 'Deny' | 'Warn' | 'Audit';
}

/** Those that refer to an object under a rule that denies, or one that does what is asked for. */
export function referrersOf(
  subject: ModelObject,
  objects: readonly ModelObject[],
  rules: readonly ModelRule[],
  enforcement: ModelRule['enforcement'] = 'Deny',
): readonly ModelObject[] {
  return objects.filter((other) => {
    const isElsewhere = other === subject || other.consumer !== subject.consumer;
    return !isElsewhere && rules.some((rule) => rule.enforcement === enforcement && refers(other, subject, rule));
  });
}

function refers(other: ModelObject, subject: ModelObject, { dependent, dependency, field, readsNamespace }: ModelRule): boolean {
  if (!isSameType(other.type, dependent) || !isSameType(subject.type, dependency)) return false;
  return other.references[field].some(({ name, namespace }) => {
    const meant = (readsNamespace ? namespace : undefined) ?? other.namespace ?? subject.namespace;
    return name === subject.name && (subject.namespace === undefined || meant === subject.namespace);
  });
}

/** Whether they are one type. */
export function isSameType(one: ModelType, other: ModelType): boolean {
  return one.provider === other.provider && one.resource === other.resource;
}
