import { describe, expect, it } from 'vitest';
import { findCitations, readRules } from '../scripts/contract-rules.ts';

/** The numbers of docs/contract can be trusted. docs/contract/untested.md lists rules without a test. */

const rules = readRules();
const pages = Map.groupBy(rules, (rule) => rule.page);

describe('the rules of the contract', () => {
  it.each([...pages])(
    'the rules of the contract in %s have the same prefix and rising numbers',
    (_page, rules) => {
      const [prefix] = rules[0]?.id.split('-') ?? [];
      const numbers = rules.map((rule) => Number(rule.id.split('-')[1]));
      expect(rules.map((rule) => rule.id)).toEqual(numbers.map((number) => `${prefix}-${number}`));
      expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
    },
  );

  it('the rules of the contract have a prefix of their own on each page', () => {
    const prefixes = [...pages.values()].map((rules) => rules[0]?.id.split('-')[0]);
    expect(new Set(prefixes).size).toBe(prefixes.length);
  });

  it('the rules of the contract include every rule that code, tests and documents cite', () => {
    const ids = new Set(rules.map((rule) => rule.id));
    expect(findCitations(rules).filter((citation) => !ids.has(citation.id))).toEqual([]);
  });
});
