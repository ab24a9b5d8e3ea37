import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { tryParseAddress } from './address.ts';

const CASES = new URL('../../../../../shared/urls/whatwg-http.json', import.meta.url);

interface UrlCase {
  readonly input: string;
  readonly base: string | null;
  readonly failure?: true;
  readonly protocol?: string;
  readonly host?: string;
}

it.skipIf(!existsSync(CASES))('reads authorities as in ../shared/urls/whatwg-http.json', () => {
  const cases: readonly UrlCase[] = JSON.parse(readFileSync(CASES, 'utf8'));
  // Leaves out addresses that a fingerprint refuses before it reads the authority.
  const applicable = cases.filter(
    ({ input, base }) =>
      base === null && /^https?:\/\/[^/?#\s\p{Cc}\\][^\s\p{Cc}\\]*$/iu.test(input),
  );
  for (const { input, failure, protocol, host } of applicable) {
    const address = tryParseAddress(input);
    const read = address && `${address.scheme}://${address.host}`;
    const expected = failure === true ? undefined : `${protocol}//${host}`;
    expect([input, read]).toEqual([input, expected]);
  }
  expect(applicable.length).toBeGreaterThan(150);
});
