// The index that the search of the site loads at the first search: a script, because pages that are opened as files may fetch nothing.
import MiniSearch from 'minisearch';
import type { SearchEntry } from './site.js';

/** How entries are indexed; site.js reads the index with the same. */
export const SEARCH_OPTIONS = { fields: ['title', 'page', 'text'], storeFields: ['href', 'page', 'title'] };

/** The script. */
export function searchIndex(entries: readonly SearchEntry[]): string {
  const index = new MiniSearch<SearchEntry>(SEARCH_OPTIONS);
  index.addAll(entries);
  const loaded = { options: SEARCH_OPTIONS, index: JSON.stringify(index) };
  return `window.depCtrlSearch = ${JSON.stringify(loaded)};\n`;
}
