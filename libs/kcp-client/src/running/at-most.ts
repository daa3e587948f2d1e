/** Works on items side by side, at most so many at a time, until none is left or it is over. After a failure nothing new is begun; then the failure is thrown. */
export async function atMost<T>(
  limit: number,
  items: Iterable<T>,
  work: (item: T) => Promise<void>,
  isOver: () => boolean = () => false,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  let hasFailed = false;
  const take = async (): Promise<void> => {
    while (!hasFailed && !isOver()) {
      const next = queue.next();
      if (next.done === true) return;
      try {
        await work(next.value);
      } catch (failure) {
        hasFailed = true;
        throw failure;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: limit }, take));
  for (const result of ended) if (result.status === 'rejected') throw result.reason;
}
