import type { RegistryReader, RegistryWriter, Touched } from '@dep-ctrl/rule-registry';
import type { PathLookupsDependencies } from '@dep-ctrl/workspace-resolver';

/** What a {@link tellPaths} needs. */
export interface ToldPathsDependencies {
  readonly reader: RegistryReader;
  readonly writer: RegistryWriter;
  /** Told what an answer may have changed. */
  readonly onChange: (touched: Touched) => void;
}

/**
 * Tells the registry the clusters of paths. A path that cannot be resolved counts for every workspace in the webhook, and changes nothing in a
 * configuration. The reason is news for the status of the rules that name it.
 */
export function tellPaths({ reader, writer, onChange }: ToldPathsDependencies): PathLookupsDependencies['tell'] {
  return (path, meaning, isNews) => {
    if (!isNews && reader.paths.clusterOf(path) === meaning) return;
    const touched = writer.pathResolved(path, meaning);
    if (isNews) onChange({ guarded: touched.guarded, rules: new Set([...touched.rules, ...reader.rulesNaming(path)]) });
    else if (touched.guarded.size > 0 || touched.rules.size > 0) onChange(touched);
  };
}
