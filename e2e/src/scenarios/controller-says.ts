import { ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Tree } from '../https/kube-body.js';
import { eventually } from '../stage/eventually.js';
import type { World } from './world.js';

/** Waits for a line of the controller's log with this message and these fields, and answers with it. */
export async function controllerSays({ product }: World, message: string, fields: Tree = {}): Promise<Tree> {
  return eventually(`the controller says "${message}"`, () => {
    const lines = readFileSync(join(product.dir, `${product.controller.name}.log`), 'utf8').split('\n');
    const said = lines.filter((line) => line.includes(JSON.stringify(message))).map((line) => JSON.parse(line) as Tree);
    const found = said.find((line) => Object.entries(fields).every(([name, value]) => line[name] === value));
    ok(found !== undefined, JSON.stringify(said));
    return Promise.resolve(found);
  });
}
