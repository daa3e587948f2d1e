// The proxy as a process of its own: `fork` this. It does what its parent says, and ends when the parent does.
import type { KeyPair } from '../backends/pki.js';
import { ProxyServer, type FaultInForce, type FaultWish, type ProxyStart } from './proxy-server.js';

/** What the parent says. Faults have the numbers that the parent gives them. */
export type ProxyOrder =
  | { readonly do: 'listen'; readonly start: ProxyStart }
  | { readonly do: 'present'; readonly pair: KeyPair }
  | { readonly do: 'limit pages'; readonly to: number }
  | { readonly do: 'break'; readonly fault: number; readonly wish: FaultWish }
  | { readonly do: 'count'; readonly fault: number }
  | { readonly do: 'mend'; readonly fault: number };

/** An order with the number that its answer is to carry. */
export interface NumberedOrder {
  readonly number: number;
  readonly order: ProxyOrder;
}

/** What came of an order. */
export interface OrderAnswer {
  readonly number: number;
  readonly result?: unknown;
  readonly problem?: string;
}

let server: ProxyServer | undefined;
const faults = new Map<number, FaultInForce>();

process.on('disconnect', () => process.exit());
process.on('message', (message: NumberedOrder) => void answer(message));

async function answer({ number, order }: NumberedOrder): Promise<void> {
  let answered: OrderAnswer;
  try {
    answered = { number, result: await carriedOut(order) };
  } catch (error) {
    answered = { number, problem: error instanceof Error ? error.message : String(error) };
  }
  process.send?.(answered);
}

function carriedOut(order: ProxyOrder): unknown {
  if (order.do === 'listen') {
    server = new ProxyServer(order.start, ({ caller, method, path, query }, fault) => {
      process.stdout.write(`${new Date().toISOString()} ${caller} ${method} ${path}?${query} ${fault?.kind ?? ''}\n`);
    });
    return server.listen();
  }
  if (server === undefined) throw new Error('it does not listen yet');
  switch (order.do) {
    case 'present':
      server.present(order.pair);
      return undefined;
    case 'limit pages':
      server.pageLimit = order.to;
      return undefined;
    case 'break':
      faults.set(order.fault, server.add(order.wish));
      return undefined;
    case 'count':
      return faults.get(order.fault)?.hits;
    case 'mend':
      faults.get(order.fault)?.mend();
      return undefined;
    default:
      order satisfies never;
  }
}
