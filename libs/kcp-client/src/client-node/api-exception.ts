import { ApiException } from '@kubernetes/client-node';
import { isKcpError, type KcpError } from '../errors/kcp-error.js';
import { answerBehind } from '../errors/refused-answer.js';
import { textHeaders } from './text-headers.js';

/** A server's refusal as the generated APIs throw it: code, body and headers as they came, and the KcpError as its `cause`. Undefined where no answer came. */
export function apiException(error: KcpError): ApiException<string> | undefined {
  const answer = answerBehind(error);
  if (answer === undefined) return undefined;
  const { status, headers, body } = answer;
  const exception = new ApiException(status, error.message, body.toString('utf8'), textHeaders(headers));
  // As `new Error(message, { cause })` sets it; client-node's class has no parameter for it.
  Object.defineProperty(exception, 'cause', { value: error, configurable: true, enumerable: false, writable: true });
  return exception;
}

/** The KcpError behind what a generated API threw: itself, or the cause of an ApiException. Undefined for anything else. */
export function kcpErrorOf(thrown: unknown): KcpError | undefined {
  if (isKcpError(thrown)) return thrown;
  return thrown instanceof ApiException && isKcpError(thrown.cause) ? thrown.cause : undefined;
}
