import { expect, it } from 'vitest';
import {
  anyone,
  isTrusted,
  type KeyPrincipal,
  mayActFor,
  operator,
  type Principal,
  requireKey,
  requireOperator,
  requireSelf,
  requireTrusted,
  requireUser,
  system,
} from './principal.ts';

const user: Principal = { kind: 'user', userId: 'u' };
const key = { kind: 'key', userId: 'u' } as KeyPrincipal;
const site = { kind: 'site', userId: 'u' } as KeyPrincipal;

/** For each principal: what the check returns, or the kind of its error. */
const outcomes = (check: (acting: { principal: Principal }) => unknown) =>
  [anyone, operator, system, user, key, site].map((principal) => {
    try {
      return check({ principal }) ?? true;
    } catch (error) {
      return (error as { kind: string }).kind;
    }
  });

it('decides about actions that concern no podcast', () => {
  const no = 'forbidden';
  expect(outcomes(isTrusted)).toEqual([false, true, true, false, false, false]);
  expect(outcomes(requireTrusted)).toEqual([no, true, true, no, no, no]);
  expect(outcomes(requireOperator)).toEqual([no, true, no, no, no, no]);
  expect(outcomes(requireUser)).toEqual([no, no, no, 'u', no, no]);
  expect(outcomes(requireKey)).toEqual([no, no, no, no, key, site]);
  // A key may do nothing in its user's name.
  expect(outcomes((acting) => mayActFor(acting, 'u'))).toEqual([
    ...[false, true, true, true, false, false],
  ]);
  const hidden = 'not_found';
  expect(outcomes((acting) => requireSelf(acting, 'u'))).toEqual([
    ...[hidden, true, true, true, hidden, hidden],
  ]);
  expect(outcomes((acting) => requireSelf(acting, 'other'))).toEqual([
    ...[hidden, true, true, hidden, hidden, hidden],
  ]);
});
