import { ok } from 'node:assert/strict';
import type { Answer } from '../https/answer.js';

const LEAST = 10;

/** Fails where one of the answers to a load let a delete pass, or where there are so few that there was no load. */
export function noneAllowed(answers: readonly Answer[]): void {
  ok(answers.length >= LEAST, `only ${answers.length} were answered`);
  for (const { status, text } of answers) ok(status >= 400, `a delete was allowed: ${text}`);
}
