import { expect, it } from 'vitest';
import { siteOfHost } from './host-site.ts';

it.each([
  ['example.com', 'example.com'],
  ['a.b.example.com', 'example.com'],
  ['a.example.co.uk', 'example.co.uk'],
  ['co.uk', 'co.uk'],
  // Customers of one provider are not one owner.
  ['night.github.io', 'night.github.io'],
  ['a.night.github.io', 'night.github.io'],
  // Names that anybody gets for an address.
  ['203-0-113-7.nip.io', 'nip.io'],
  ['a.xn--bcher-kva.example', 'bücher.example'],
  ['a.night.xn--55qx5d.cn', 'night.公司.cn'],
  ['localhost', 'localhost'],
  ['a..b', '.b'],
  [`${'a.'.repeat(120)}example.com`, 'example.com'],
  ['203.0.113.7', '203.0.113.7'],
  ['[2001:db8:1:2::3]', '2001:db8:1::/48'],
  ['[::ffff:203.0.113.7]', '203.0.113.7'],
])('%s belongs to %s', (host, site) => expect(siteOfHost(host)).toBe(site));
