/*
 * The generated APIs of @kubernetes/client-node over a Connection of ours: its pool, credentials, deadlines and errors. By itself client-node opens a TLS
 * connection for every request. A server's refusal is the ApiException that callers of client-node know, with our KcpError as `cause`; what came
 * to no answer is a KcpError.
 */
import {
  createConfiguration,
  RequestContext,
  ResponseContext,
  SelfDecodingBody,
  wrapHttpLibrary,
  type Configuration,
} from '@kubernetes/client-node';
import type { CallOptions, ClusterClient } from '../connection/cluster-client.js';
import { isKcpError, KcpError } from '../errors/kcp-error.js';
import { apiException } from './api-exception.js';
import { textHeaders } from './text-headers.js';
import { pathProblem, requestOf, type WorkspaceRequest } from './request-of.js';

/**
 * A configuration for the generated APIs, such as `new CoreV1Api(configurationOf(client, { signal }))`, that reaches the workspace of `client`, a virtual
 * one too. The signal ends its calls. Watches are refused: `Reflector` is made for them.
 */
export function configurationOf(client: Pick<ClusterClient, 'url' | 'request'>, options: CallOptions): Configuration {
  const base = client.url;
  return createConfiguration({
    baseServer: {
      makeRequestContext(path, method) {
        const problem = pathProblem(path);
        if (problem !== undefined) throw refused(base, method, path, problem);
        return new RequestContext(base + path, method);
      },
    },
    httpApi: wrapHttpLibrary({
      async send(context) {
        const [method, url] = [context.getHttpMethod(), context.getUrl()];
        const read = requestOf(base, { method, url, headers: context.getHeaders(), body: context.getBody() });
        if (!read.ok) throw refused(base, method, new URL(url).pathname, read.problem);
        return answerOf(client, read.value, { ...options, signal: bothSignals(options.signal, context.getSignal()) });
      },
    }),
  });
}

async function answerOf(
  client: Pick<ClusterClient, 'request'>,
  { path, request }: WorkspaceRequest,
  options: CallOptions,
): Promise<ResponseContext> {
  try {
    const { status, headers, body } = await client.request(path, request, options);
    return new ResponseContext(status, textHeaders(headers), new SelfDecodingBody(Promise.resolve(body)));
  } catch (error) {
    throw isKcpError(error) ? (apiException(error) ?? error) : error;
  }
}

function bothSignals(always: AbortSignal, once: AbortSignal | undefined): AbortSignal {
  return once === undefined ? always : AbortSignal.any([always, once]);
}

function refused(at: string, method: string, path: string, problem: string): KcpError {
  return new KcpError({ code: 'invalid', asked: `${method.toLowerCase()} ${path}`, at, problem });
}
