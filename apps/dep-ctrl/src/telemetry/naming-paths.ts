import type { Logger } from '@dep-ctrl/kcp-client';
import type { WorkspacePath } from '@dep-ctrl/kcp-names';

/** A logger that adds the path of a workspace where a line names its cluster alone and the path is known. People know paths. */
export function namingPaths(logger: Logger, pathOf: (cluster: string) => WorkspacePath | undefined): Logger {
  const named = (fields: Parameters<Logger['info']>[1]): Parameters<Logger['info']>[1] => {
    const { cluster, path } = fields ?? {};
    const known = typeof cluster === 'string' && path === undefined ? pathOf(cluster) : undefined;
    return known === undefined ? fields : { ...fields, path: known };
  };
  return {
    debug: (message, fields) => logger.debug(message, named(fields)),
    info: (message, fields) => logger.info(message, named(fields)),
    warn: (message, fields) => logger.warn(message, named(fields)),
    error: (message, fields) => logger.error(message, named(fields)),
  };
}
