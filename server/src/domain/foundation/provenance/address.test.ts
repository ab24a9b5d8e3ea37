import { expect, it } from 'vitest';
import { readUrlCases } from '../../../../test/url-cases.ts';
import { tryParseAddress } from './address.ts';

it('an authority is read as a browser reads it', () => {
  // Leaves out addresses that a fingerprint refuses before it reads the authority.
  const applicable = readUrlCases().filter(({ input }) =>
    /^https?:\/\/[^/?#\s\p{Cc}\\][^\s\p{Cc}\\]*$/iu.test(input),
  );
  for (const { input, failure, protocol, host } of applicable) {
    const address = tryParseAddress(input);
    const read = address && `${address.scheme}://${address.host}`;
    const expected = failure === true ? undefined : `${protocol}//${host}`;
    expect([input, read]).toEqual([input, expected]);
  }
  expect(applicable.length).toBeGreaterThan(100);
});
