import { describe, expect, test } from 'vitest';
import { plannedEachTime, StatementNames } from './statement-names.ts';

describe('StatementNames', () => {
  test('a text has the same unique name in every process', () => {
    const name = new StatementNames().nameOf('select $1');
    expect(name).toMatch(/^ps_[\w-]{22}$/);
    expect(new StatementNames().nameOf('select $1')).toBe(name);
    expect(new StatementNames().nameOf('select $2')).not.toBe(name);
  });

  test('StatementNames gives no names to new texts beyond the limit, and old ones keep theirs', () => {
    const names = new StatementNames(2);
    const first = names.nameOf('a');
    names.nameOf('b');
    expect(names.nameOf('c')).toBeUndefined();
    expect(names.nameOf('a')).toBe(first);
  });

  test('a very long text gets no name', () => {
    expect(new StatementNames().nameOf(`select ${'$1,'.repeat(5_000)}`)).toBeUndefined();
  });

  test('a statement that is planned each time has none', () => {
    const names = new StatementNames();
    expect(names.nameOf(`${plannedEachTime} select $1`)).toBeUndefined();
    expect(names.nameOf('select $1')).toBeDefined();
  });

  test('renewing a text gives it a new name', () => {
    const names = new StatementNames();
    const seen = new Set([names.nameOf('a')]);
    for (let round = 0; round < 3; round += 1) {
      names.renew('a');
      seen.add(names.nameOf('a'));
    }
    expect(seen.size).toBe(4);
  });

  test('renewing counts against the limit', () => {
    const names = new StatementNames(1);
    names.nameOf('a');
    names.renew('b');
    expect(names.nameOf('b')).toBeUndefined();
  });
});
