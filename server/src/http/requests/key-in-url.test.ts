import { expect, it } from 'vitest';
import { hasKeyInUrl } from './key-in-url.ts';

// REQ-12, REQ-13
it.each([
  ['/v1/podcasts/x?a=svc_live_abc', true],
  ['/listen/x?a=svc%5Flive%5Fabc', true],
  ['/?a=1&b=svc_live_', true],
  ['/v1/podcasts/x?a=%20Bearer+svc_live_abc', true],
  ['/v1/me?key[]=1', true],
  ['/v1/podcasts/x?key=abc', false],
  ['/v1/podcasts/x?a=xsvc_live_', false],
  ['/v1/me?key=1', true],
  ['/v1/me/podcasts?API_KEY=', true],
  ['/v1/sites/exchange?Authorization=x', true],
  ['/v1/menu?key=1', false],
  ['/v1/me/podcasts?limit=2', false],
  ['/v1/me', false],
  ['/%ff?%ff=%ff', false],
])('%s: %s', (url, found) => expect(hasKeyInUrl(url)).toBe(found));
