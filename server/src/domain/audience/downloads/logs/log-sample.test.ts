import { describe, expect, it } from 'vitest';
import { LogSample } from './log-sample.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const faultsOf = (
  addresses: readonly string[],
  userAgent: string | undefined = 'AntennaPod/3.4',
) => {
  const sample = new LogSample();
  for (const address of addresses) sample.add({ address, userAgent });
  return sample.faults;
};

describe('shortened addresses', () => {
  it.each([
    ['the last octet', (n: number) => `203.0.${n}.0`],
    ['two octets', (n: number) => `203.${n}.0.0`],
    ['the host of an IPv6 address', (n: number) => `2001:db8:${n + 1}::`],
    ['48 bits of an IPv6 address', (n: number) => `2001:db8:0:0:${n + 1}::`],
    ['32 bits of an IPv6 address', (n: number) => `2001:db8::${n + 1}:0:0`],
  ])('shortened addresses are recognized that lack %s', (_, write) => {
    expect(faultsOf(numbers(3).map(write))).toEqual(['anonymized_addresses']);
    expect(faultsOf(numbers(3_000).map(write))).toEqual(['anonymized_addresses']);
    expect(faultsOf(numbers(2).map(write))).toEqual([]);
  });

  it('shortened addresses are recognized if only those of IPv4 are', () => {
    const whole = numbers(400).map((n) => `2001:db8::${(n + 1).toString(16)}`);
    const shortened = numbers(400).map((n) => `198.51.${n % 200}.0`);
    expect(faultsOf([...whole, ...shortened])).toEqual(['anonymized_addresses']);
  });

  it('a single address is enough if nothing of it is left', () => {
    expect(faultsOf(['203.0.113.7', '0.0.0.0'])).toEqual(['anonymized_addresses']);
    expect(faultsOf(['::'])).toEqual(['anonymized_addresses']);
  });

  it('whole addresses are no fault, though one of 256 ends with a zero', () => {
    const all = numbers(256 * 40).map((n) => `203.0.${Math.floor(n / 256)}.${n % 256}`);
    expect(faultsOf(all)).toEqual([]);
    expect(faultsOf(all.reverse())).toEqual([]);
    expect(faultsOf(['203.0.113.0', '203.0.113.7', '203.0.113.0', '203.0.113.0'])).toEqual([]);
    expect(faultsOf(['2001:db8::1', '2001:db8:0:0:1::1', '::1'])).toEqual([]);
  });
});

it('user agents are missing if no line of many has one', () => {
  const addresses = numbers(100).map((n) => `203.0.113.${n}`);
  expect(new LogSample().faults).toEqual([]);
  const sample = new LogSample();
  for (const address of addresses.slice(1)) sample.add({ address, userAgent: undefined });
  expect(sample.faults).toEqual([]);
  sample.add({ address: '203.0.113.0', userAgent: undefined });
  expect(sample.faults).toEqual(['no_user_agents']);
  sample.add({ address: '203.0.113.1', userAgent: 'AntennaPod/3.4' });
  expect(sample.faults).toEqual([]);
});
