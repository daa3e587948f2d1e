import { plainText } from './plain-text.js';

/** One line for people: the message, and the messages of the causes that it does not already tell. */
export function describeFailure(error: unknown): string {
  const parts: string[] = [];
  for (let cause: unknown = error; cause !== undefined && parts.length < 5; cause = isLikeAnError(cause) ? cause.cause : undefined) {
    const message = oneLine(messageOf(cause));
    if (message !== '' && !parts.some((part) => part.includes(message))) parts.push(message);
  }
  return parts.join(': ') || 'failed without a message';
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.map(describeFailure).join('; ');
  if (isLikeAnError(error)) return error.message || error.name;
  return typeof error === 'string' ? error : 'a value that is no error was thrown';
}

// What an AbortSignal throws is none of the language's own errors.
function isLikeAnError(value: unknown): value is Pick<Error, 'name' | 'message' | 'cause'> {
  return typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string' && 'name' in value;
}

function oneLine(text: string): string {
  return plainText(text.replaceAll(/\s*\n\s*/g, ' ').trim());
}
