import { expect, it } from 'vitest';
import { normalizeTarget } from './request-target.ts';

it.each([
  ['/v1/podcasts/x', '/v1/podcasts/x'],
  ['/%761/podcasts/%6eight?a=%76', '/v1/podcasts/night?a=%76'],
  ['http://other.example/v1/x?y', '/v1/x?y'],
  ['HTTP://other.example', '/'],
  ['http://other.example?x', '/?x'],
  ['/a%2fb/%ff/%', '/a%2fb/%ff/%'],
  ['/v1/me#?key=x', '/v1/me%23?key=x'],
  ['/v1/x?a#b', '/v1/x?a%23b'],
  ['//', '//'],
  ['*', '*'],
  ['', ''],
])('%s is %s', (target, normal) => expect(normalizeTarget(target)).toBe(normal));
