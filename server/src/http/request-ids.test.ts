import { expect, it } from 'vitest';
import { RequestIds } from './request-ids.ts';

it('gives UUIDs, each once, also past one draw of randomness and from two sources', () => {
  const sources = [new RequestIds(), new RequestIds()];
  const ids = sources.flatMap((source) => Array.from({ length: 130_000 }, () => source.next()));
  expect(new Set(ids).size).toBe(260_000);
  const form = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  expect(ids.filter((id) => !form.test(id))).toEqual([]);
});
