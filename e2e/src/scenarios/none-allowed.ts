import { ok } from 'node:assert/strict';
import type { Answer } from '../https/answer.js';

/** Fails where one of the answers to a load let a delete pass, or where there is none. */
export function noneAllowed(answers: readonly Answer[]): void {
  ok(answers.length > 0, 'nobody was answered');
  for (const { status, text } of answers) ok(status >= 400, `a delete was allowed: ${text}`);
}
