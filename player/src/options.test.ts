import { describe, expect, it } from 'vitest';
import { type Attribute, readOptions } from './options.ts';

const service = 'https://pods.example';
const read = (given: Partial<Record<Attribute, string>>) =>
  readOptions((name) => given[name] ?? null, service);

describe('readOptions', () => {
  it('readOptions has a default for every option', () => {
    expect(read({})).toEqual({
      episode: null,
      podcast: null,
      playlistRows: 0,
      season: null,
      theme: null,
      color: null,
      layout: 'full',
      startSeconds: undefined,
      service,
    });
  });

  it.each([
    ['', 4],
    ['6', 6],
    ['0', 4],
    ['-3', 4],
    ['many', 4],
    ['500', 20],
  ])('playlist=%j has %d rows', (playlist, rows) => {
    expect(read({ playlist }).playlistRows).toBe(rows);
  });

  it.each([
    ['#aa3300', '#aa3300'],
    ['aa3300', '#aa3300'],
    ['#A30', '#AA3300'],
    ['red', null],
    ['#aa330', null],
    ['url(x)', null],
  ])('color=%j is %j', (color, expected) => {
    expect(read({ color }).color).toBe(expected);
  });

  it.each([
    ['https://other.example', 'https://other.example'],
    ['https://other.example:8443/', 'https://other.example:8443'],
    ['localhost:3000', service],
    ['/v1', service],
    ['', service],
  ])('src=%j uses the API at %s', (src, expected) => {
    expect(read({ src }).service).toBe(expected);
  });

  it('reads a numeric season, a known theme and a known layout', () => {
    expect(read({ season: '0' }).season).toBe('0');
    expect(read({ season: '2&type=bonus' }).season).toBeNull();
    expect(read({ theme: 'dark' }).theme).toBe('dark');
    expect(read({ theme: 'pink' }).theme).toBeNull();
    expect(read({ layout: 'compact' }).layout).toBe('compact');
    expect(read({ layout: 'tiny' }).layout).toBe('full');
  });
});
