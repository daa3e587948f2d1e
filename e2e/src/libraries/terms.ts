/** A time during which a process believed that it leads, in nanoseconds of the clock that all processes of a machine share. */
export interface Term {
  readonly who: string;
  readonly from: bigint;
  readonly to: bigint;
}

/** The terms in the record of one process: lines of `leads` or `stands` with a time. The last line may be half written. */
export function termsOf(who: string, record: string): readonly Term[] {
  const terms: Term[] = [];
  let current: Term | undefined;
  for (const line of record.split('\n').slice(0, -1)) {
    const [state, time = ''] = line.split(' ');
    if (state === 'leads') current = { who, from: current?.from ?? BigInt(time), to: BigInt(time) };
    else if (current !== undefined) {
      terms.push(current);
      current = undefined;
    }
  }
  return current === undefined ? terms : [...terms, current];
}

/** Pairs of terms of different processes that were at one time. */
export function overlaps(terms: readonly Term[]): readonly (readonly [Term, Term])[] {
  return terms.flatMap((a, index) =>
    terms.slice(index + 1).flatMap((b): (readonly [Term, Term])[] => (a.who !== b.who && a.from <= b.to && b.from <= a.to ? [[a, b]] : [])),
  );
}
