import { PlainError } from '../http/api-status.js';

/** The 500 for an export that a virtual workspace does not know, or not yet. */
export function exportMissing(path: string, name: string): PlainError {
  return new PlainError(
    500,
    `Internal Server Error: ${JSON.stringify(path)}: API export not found: apiexport.apis.kcp.io ${JSON.stringify(name)} not found`,
  );
}
