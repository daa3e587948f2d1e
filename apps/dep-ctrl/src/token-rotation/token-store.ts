// Where the secrets behind the URL tokens are kept: the file that both roles follow, or the Secret that `all` keeps.
import { readFile } from 'node:fs/promises';
import { replaceFile, UsageError } from '@dep-ctrl/command-settings';
import { isKcpError, type ClusterClient } from '@dep-ctrl/kcp-client';
import { recordAt, text, type KubeObject } from '@dep-ctrl/kcp-names';
import { getIfExists } from '@dep-ctrl/kcp-objects';
import { HOME_NAMESPACE } from '../bootstrap/manifests.js';
import { SECRETS, URL_TOKEN_SECRET } from '../certificate/shared-secrets.js';

interface Options {
  readonly signal: AbortSignal;
}

/** The text of one secret a line, wherever it is. */
export interface TokenStore {
  /** What people call it. */
  readonly name: string;
  read(options: Options): Promise<string>;
  /** Replaces `before` by `after`; throws if another process has written something else meanwhile. */
  write(change: { readonly before: string; readonly after: string }, options: Options): Promise<void>;
}

/** The file of --url-token-file. It is replaced as a whole, so that no process reads half of it, and keeps its owner and mode. */
export function fileStore(file: string): TokenStore {
  const read = async ({ signal }: Options): Promise<string> => {
    try {
      return await readFile(file, { encoding: 'utf8', signal });
    } catch (error) {
      if (signal.aborted) throw error;
      const { code = '' } = error as NodeJS.ErrnoException; // what readFile throws
      throw new UsageError(`--url-token-file must be a file that can be read, not ${JSON.stringify(file)}: ${code}`);
    }
  };
  return {
    name: file,
    read,
    write: async ({ before, after }, options) => {
      if ((await read(options)) !== before) throw changedMeanwhile(file);
      await replaceFile(file, after);
    },
  };
}

/** The Secret in the workspace of dep-ctrl. */
export function secretStore(home: ClusterClient): TokenStore {
  const ref = { name: URL_TOKEN_SECRET, namespace: HOME_NAMESPACE };
  const name = `Secret ${HOME_NAMESPACE}/${URL_TOKEN_SECRET}`;
  const get = async (options: Options): Promise<KubeObject> => {
    const found = await getIfExists(home, SECRETS, ref, options);
    if (found !== undefined && textIn(found) !== '') return found;
    throw new Error(`${name} holds nothing, as "all" has not kept its token there: give --url-token-file FILE, that of both roles`);
  };
  return {
    name,
    read: async (options) => textIn(await get(options)),
    write: async ({ before, after }, options) => {
      const found = await get(options);
      if (textIn(found) !== before) throw changedMeanwhile(name);
      const data = { ...recordAt(found, 'data'), token: Buffer.from(after).toString('base64') };
      try {
        await home.replace(SECRETS, { ...found, data }, options);
      } catch (error) {
        throw isKcpError(error, 'conflict') ? changedMeanwhile(name) : error;
      }
    },
  };
}

function textIn(secret: KubeObject): string {
  return Buffer.from(text(recordAt(secret, 'data')['token']) ?? '', 'base64').toString('utf8');
}

function changedMeanwhile(name: string): Error {
  return new Error(`${name} was changed by somebody else meanwhile`);
}
