import { describe, expect, it } from 'vitest';
import { isDataCenter } from './index.ts';

describe('isDataCenter', () => {
  it.each([
    ['Amazon', 16509],
    ['Amazon', 14618],
    ['Google Cloud', 396982],
    ['Azure', 8075],
    ['OVH', 16276],
    ['Hetzner', 24940],
    ['DigitalOcean', 14061],
    ['Linode', 63949],
  ])('%s, AS%i, is a hosting network', (_name, asNumber) => {
    expect(isDataCenter(asNumber)).toBe(true);
  });

  it.each([
    ['Google, through which phones connect', 15169],
    ['Apple', 714],
    ['Apple', 6185],
    ['Cloudflare, an exit of iCloud Private Relay', 13335],
    ['Fastly, an exit of iCloud Private Relay', 54113],
    ['Akamai, an exit of iCloud Private Relay', 36183],
    ['Akamai', 20940],
    ['Comcast', 7922],
    ['Deutsche Telekom', 3320],
    ['an unknown network', null],
  ])('%s is not a hosting network', (_name, asNumber) => {
    expect(isDataCenter(asNumber)).toBe(false);
  });
});
