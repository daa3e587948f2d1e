// The hostile side in a process of its own, so that making its reviews takes no time of who measures: 50 deletions at a time in its own
// workspaces, of objects of 1.4 MB, until it is told to stop.

import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { Agent, request } from 'undici';
import { reviewOf, type Consumer } from './tenants-world.js';

const AT_A_TIME = 50;
const NAMES = 4;

/** Whom to attack; goes through the environment. */
export interface Attack {
  readonly url: string;
  readonly ca: string;
  readonly consumers: readonly Consumer[];
}

/** What it was answered: how many times each HTTP status, and each verdict of a review. */
export type Answers = Readonly<Record<string, number>>;

/** The process of the attacker. */
export class Attacker {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** Starts the process; it does nothing yet. */
  static async start(file: string, attack: Attack): Promise<Attacker> {
    const child = fork(file, ['attacker'], { env: { ...process.env, ATTACK: JSON.stringify(attack) } });
    await once(child, 'message');
    return new Attacker(child);
  }

  /** Attacks from now on. */
  begin(): void {
    this.#child.send('begin');
  }

  /** Stops, once what it has asked is answered. */
  async end(): Promise<Answers> {
    this.#child.send('end');
    const [answers] = (await once(this.#child, 'message')) as [Answers];
    return answers;
  }

  stop(): void {
    this.#child.disconnect();
  }
}

/** The other side: attacks until the parent goes. */
export function serveAttacker(): void {
  // Elsewhere it would have a machine of its own.
  setPriority(constants.priority.PRIORITY_LOW);
  const { url, ca, consumers } = JSON.parse(process.env['ATTACK'] ?? '{}') as Attack;
  const agent = new Agent({ connect: { ca }, connections: AT_A_TIME, headersTimeout: 60_000 });
  const reviews = consumers.flatMap((consumer) =>
    Array.from({ length: NAMES }, (_, name) => ({
      path: `/validate/${consumer.guarded}`,
      body: reviewOf('hostile', `n${name}`, consumer),
    })),
  );
  let isOn = false;
  let running: Promise<unknown> = Promise.resolve();
  let answers: Record<string, number> = {};
  const attack = async (first: number): Promise<void> => {
    for (let next = first; isOn; next += 1) {
      const { path, body } = reviews[next % reviews.length] ?? { path: '/', body: Buffer.alloc(0) };
      const answered = await ask(`${url}${path}`, body, agent);
      answers[answered] = (answers[answered] ?? 0) + 1;
    }
  };
  process.on('message', (message) => {
    isOn = message === 'begin';
    if (isOn) {
      answers = {};
      running = Promise.all(Array.from({ length: AT_A_TIME }, (_, first) => attack(first)));
    } else void running.then(() => process.send?.(answers));
  });
  process.on('disconnect', () => void agent.destroy());
  process.send?.('ready');
}

async function ask(url: string, body: Buffer, agent: Agent): Promise<string> {
  try {
    const answer = await request(url, { dispatcher: agent, method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) return `HTTP ${answer.statusCode}`;
    const { response } = JSON.parse(text) as {
      readonly response: { readonly allowed: boolean; readonly status?: { readonly code: number } };
    };
    return response.allowed ? 'allowed' : `denied ${response.status?.code ?? ''}`;
  } catch (failure) {
    return failure instanceof Error && 'code' in failure ? String(failure.code) : String(failure);
  }
}
