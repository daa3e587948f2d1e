import { expect, it } from '@jest/globals';
import { PRECONDITIONS } from './preconditions.js';

it.each(PRECONDITIONS)(
  'given $id, then what must be so and what is so otherwise are sentences, and the fix is a command',
  (precondition) => {
    const sentence = expect.stringMatching(/^\S+( \S+)+\.$/);
    const command = expect.stringMatching(/^(curl|dep-ctrl|diff|kubectl|openssl|timedatectl)( \S+)+$/);

    expect(precondition).toMatchObject({ must: sentence, otherwise: sentence, fix: command });
  },
);
