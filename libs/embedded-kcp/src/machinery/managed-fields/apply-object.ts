import { notEmulated } from '../../http/api-status.js';
import type { JsonRecord } from '../../json.js';
import type { Written } from '../create-object.js';
import type { WriteOptions } from '../write-options.js';
import type { Machinery, WriteTarget } from '../write-target.js';

/** Server-side apply of one manager's fields. */
export function applyObject(
  _machinery: Machinery,
  _target: WriteTarget,
  _name: string,
  _body: JsonRecord,
  _options: WriteOptions,
): Promise<Written> {
  return Promise.reject(notEmulated('server-side apply'));
}
