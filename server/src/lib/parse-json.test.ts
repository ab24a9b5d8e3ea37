import { expect, it } from 'vitest';
import { parseJson, tryParseJson } from './parse-json.ts';

it('half of a surrogate pair becomes a character that the database can store', () => {
  const text = String.raw`{"a": ["x\ud800y", {"b": "\udc00"}], "c": "\ud83d\ude00 \\ud800"}`;
  const parsed = { a: ['x\ufffdy', { b: '\ufffd' }], c: '😀 \\ud800' };
  expect(parseJson(text)).toEqual(parsed);
  expect(tryParseJson(text)).toEqual(parsed);
  expect(parseJson(String.raw`"\uDfff"`)).toBe('\ufffd');
});

it('half of a surrogate pair is found at any depth', () => {
  const depth = 100_000;
  let at = parseJson(`${'['.repeat(depth)}"\\ud800"${']'.repeat(depth)}`);
  while (Array.isArray(at)) [at] = at;
  expect(at).toBe('\ufffd');
});
