// The texts behind FILE...: files, the manifests of folders, stdin. A name that leads nowhere is wrong usage.
import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError, type World } from '@dep-ctrl/command-settings';

/** A text and where it came from. */
export interface SourceText {
  /** As its user named it; `stdin` for `-`. */
  readonly file: string;
  /** Undefined: no UTF-8. */
  readonly text: string | undefined;
}

const MANIFEST = /\.(?:ya?ml|json)$/;
/** The name under which stdin is reported. */
export const STDIN = 'stdin';

/** Reads all of them, each once, the files of a folder in the order of their names. `by`: how they were named, such as `FILE`. */
export async function readSources(names: readonly string[], by: string, { stdin }: Pick<World, 'stdin'>): Promise<readonly SourceText[]> {
  const files = new Set<string>();
  for (const name of names) for (const file of await filesOf(name, by)) files.add(file);
  const sources: SourceText[] = [];
  for (const file of files) {
    const bytes = file === '-' ? await bytesOf(stdin) : await reading(by, file, () => readFile(file));
    sources.push({ file: file === '-' ? STDIN : file, text: textOf(bytes) });
  }
  return sources;
}

async function filesOf(name: string, by: string): Promise<readonly string[]> {
  if (name === '-') return [name];
  const { isFolder } = await reading(by, name, async () => ({ isFolder: (await stat(name)).isDirectory() }));
  return isFolder ? reading(by, name, () => manifestsIn(name)) : [name];
}

/** Folders that start with a dot hold no manifests of their user's, and links may lead in a circle. */
async function manifestsIn(folder: string): Promise<readonly string[]> {
  const entries = (await readdir(folder, { withFileTypes: true })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const files: string[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    if (entry.isDirectory()) files.push(...(await manifestsIn(path)));
    else if (MANIFEST.test(entry.name)) files.push(path);
  }
  return files;
}

async function bytesOf(stdin: World['stdin']): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stdin ?? []) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'it may not be read',
  ENOTDIR: 'there is no such file or folder',
};

async function reading<T>(by: string, name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    throw new UsageError(
      `${by} must be a file, a folder or - for stdin, not ${JSON.stringify(name)}: ${WHY[code] ?? `reading it failed (${code})`}`,
    );
  }
}
