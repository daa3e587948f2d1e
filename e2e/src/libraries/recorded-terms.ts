import { appendFileSync } from 'node:fs';

/**
 * Appends to a file every 10 ms whether this process may act as the leader, with the time of the clock that all processes of a machine share. Answers with
 * what ends that, with a last line.
 */
export function recordTerms(file: string, isLeader: () => boolean): () => void {
  const record = (): void => appendFileSync(file, `${isLeader() ? 'leads' : 'stands'} ${String(process.hrtime.bigint())}\n`);
  const recording = setInterval(record, 10);
  return () => {
    clearInterval(recording);
    record();
  };
}
