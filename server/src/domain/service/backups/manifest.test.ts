import { expect, it, vi } from 'vitest';
import { tryReadManifest } from '../../exchange/exports/index.ts';
import { readManifest } from './manifest.ts';

it('manifests of backups and exports that nest deeper than ours are not parsed', () => {
  const nested = `{"tables":${'['.repeat(10_000)}${']'.repeat(10_000)}}`;
  const parse = vi.spyOn(JSON, 'parse');
  expect(() => readManifest('x', Buffer.from(nested))).toThrow('no readable manifest');
  expect(tryReadManifest(nested)).toBeUndefined();
  expect(parse).not.toHaveBeenCalled();
  parse.mockRestore();
});
