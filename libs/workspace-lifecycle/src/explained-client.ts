import { isKcpError, KcpError, type WatchableClient } from '@dep-ctrl/kcp-client';

/** A client whose refusals say what to grant: a watch tells of its failures in one line, so the advice has to be in it. */
export function explainedClient(client: WatchableClient, adviceFor: (error: unknown) => string | undefined): WatchableClient {
  const explained = (failure: unknown): unknown => {
    const advice = adviceFor(failure);
    if (advice === undefined || !isKcpError(failure)) return failure;
    const { code, asked, at, status, statusBody } = failure;
    const optional = { ...(status !== undefined && { status }), ...(statusBody !== undefined && { statusBody }) };
    return new KcpError({ code, asked, at, problem: `${status ?? code}: ${advice}`, ...optional, cause: failure });
  };
  return {
    async *list(type, query, options) {
      try {
        yield* client.list(type, query, options);
      } catch (failure) {
        throw explained(failure);
      }
    },
    watch: (type, query, options) =>
      client.watch(type, query, options).catch((failure: unknown) => {
        throw explained(failure);
      }),
    describe: (verb, type) => client.describe(verb, type),
  };
}
