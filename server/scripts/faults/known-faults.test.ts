import { existsSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { domainFaults } from './domain-faults.ts';
import { editorFaults } from './editor-faults.ts';
import { introduceFault } from './fault.ts';
import { transferFaults } from './transfer-faults.ts';

const root = join(import.meta.dirname, '../../..');
const all = [...domainFaults, ...transferFaults, ...editorFaults];

it.each(all)('the faults of $file have a place there, and tests', ({ file, tests, faults }) => {
  const text = readFileSync(join(root, file), 'utf8');
  for (const fault of faults) {
    const faulty = introduceFault(text, fault);
    expect(faulty, fault.what).not.toBe(text);
    // A fault of the syntax would be found by any test.
    expect(() => stripTypeScriptTypes(faulty), fault.what).not.toThrow();
  }
  for (const test of tests) expect(existsSync(join(root, test)), test).toBe(true);
});

it('there are forty faults or more, each of them once, in seven areas', () => {
  const faults = all.flatMap((file) => file.faults.map(({ what }) => what));
  expect(new Set(faults).size).toBe(faults.length);
  expect(faults.length).toBeGreaterThanOrEqual(40);
  expect(new Set(all.map(({ area }) => area)).size).toBe(7);
});
