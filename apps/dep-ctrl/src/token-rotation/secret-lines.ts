// The text of a URL token file in the steps of a rotation. Pure. Each run makes a secret of its own, so that one that was broken off is repeated by
// running it again, whatever it left.
import { parseUrlSecrets, type UrlSecret, type UrlSecrets } from '@dep-ctrl/admission-server';
import { parsed, type Parsed } from '@dep-ctrl/kcp-names';

/** A rotation to a new secret, as the texts to write one after the other. */
export interface SecretSteps {
  readonly before: UrlSecrets;
  readonly fresh: UrlSecret;
  /** The new secret is accepted, and those of before make the URLs. */
  readonly added: string;
  /** The new secret makes the URLs, and those of before are accepted. */
  readonly first: string;
  readonly alone: string;
}

/** The steps from the text that is there. Comments stay, on top. */
export function secretSteps(text: string, freshText: string): Parsed<SecretSteps> {
  const before = parseUrlSecrets(text);
  if (!before.ok) return before;
  const made = parseUrlSecrets(freshText);
  if (!made.ok) return made;
  const [fresh] = made.value;
  const comments = text.split('\n').filter((line) => line.trim().startsWith('#'));
  const written = (...secrets: readonly string[]): string => `${[...comments, ...secrets].join('\n')}\n`;
  return parsed({
    before: before.value,
    fresh,
    added: written(...before.value, fresh),
    first: written(fresh, ...before.value),
    alone: written(fresh),
  });
}
