import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ConditionalHeaders,
  evaluateConditions,
  formatEtag,
  isRangeCurrent,
} from './conditional-request.ts';

const hash = 'f3Zc-9_x';
const lastModified = new Date('2024-05-06T07:08:09.750Z');
const validators = { hash, lastModified };
const at = 'Mon, 06 May 2024 07:08:09 GMT';
const before = 'Mon, 06 May 2024 07:08:08 GMT';
const after = 'Mon, 06 May 2024 07:08:10 GMT';

function outcome(headers: ConditionalHeaders, method = 'GET'): string {
  return evaluateConditions(method, headers, validators);
}

describe('If-None-Match', () => {
  // REQ-22
  it.each([
    '"f3Zc-9_x"',
    '"f3Zc-9_x-gzip"',
    '"f3Zc-9_x-br"',
    'W/"f3Zc-9_x"',
    'W/"f3Zc-9_x-gzip"',
    'W/"f3Zc-9_x-br"',
    '*',
    ' * ',
    ' "f3Zc-9_x" ',
    '"other", "f3Zc-9_x"',
    '"other","f3Zc-9_x"',
    '"other"\t, ,,W/"f3Zc-9_x-br" ,"more"',
    ',"f3Zc-9_x"',
    '"a,b", "f3Zc-9_x"',
    '"", "f3Zc-9_x"',
    '"é", "f3Zc-9_x"',
  ])('%s is this content', (header) => {
    expect(outcome({ 'if-none-match': header })).toBe('not_modified');
    expect(outcome({ 'if-none-match': header }, 'HEAD')).toBe('not_modified');
    expect(outcome({ 'if-none-match': header }, 'POST')).toBe('precondition_failed');
  });

  it.each([
    '',
    '"other"',
    'f3Zc-9_x',
    '"f3Zc-9_X"',
    '"f3Zc-9_x',
    'f3Zc-9_x"',
    '"f3Zc-9_x-zstd"',
    '"f3Zc-9_xgzip"',
    '"f3Zc-9_x-"',
    '"f3Zc-9_x-gzip-br"',
    '"xf3Zc-9_x"',
    '"a", *',
    'w/"f3Zc-9_x"',
    '"a,"f3Zc-9_x"',
    '"a" "f3Zc-9_x"',
    '"x, \\"f3Zc-9_x\\""',
  ])('%s is not this content', (header) => {
    expect(outcome({ 'if-none-match': header })).toBe('proceed');
    expect(outcome({ 'if-none-match': header }, 'PUT')).toBe('proceed');
  });
});

describe('If-Match', () => {
  it.each(['"f3Zc-9_x"', '"f3Zc-9_x-gzip"', '"f3Zc-9_x-br"', '*', '"a", "f3Zc-9_x"'])(
    '%s holds',
    (header) => {
      expect(outcome({ 'if-match': header })).toBe('proceed');
    },
  );

  it.each(['W/"f3Zc-9_x"', 'W/"f3Zc-9_x-gzip"', '"other"', '', 'f3Zc-9_x'])(
    '%s fails',
    (header) => {
      expect(outcome({ 'if-match': header })).toBe('precondition_failed');
      expect(outcome({ 'if-match': header }, 'DELETE')).toBe('precondition_failed');
    },
  );
});

describe('dates', () => {
  it.each([
    [at, 'not_modified', 'proceed'],
    [after, 'not_modified', 'proceed'],
    [before, 'proceed', 'precondition_failed'],
    ['yesterday', 'proceed', 'proceed'],
    ['', 'proceed', 'proceed'],
    [`${at}, ${at}`, 'proceed', 'proceed'],
  ])('%s: modified since → %s, unmodified since → %s', (date, modified, unmodified) => {
    expect(outcome({ 'if-modified-since': date })).toBe(modified);
    expect(outcome({ 'if-modified-since': date }, 'HEAD')).toBe(modified);
    expect(outcome({ 'if-modified-since': date }, 'POST')).toBe('proceed');
    expect(outcome({ 'if-unmodified-since': date })).toBe(unmodified);
    expect(outcome({ 'if-unmodified-since': date }, 'POST')).toBe(unmodified);
  });

  it('dates are ignored if nothing is known', () => {
    const headers = { 'if-modified-since': after, 'if-unmodified-since': before };
    expect(evaluateConditions('GET', headers, { hash })).toBe('proceed');
  });
});

describe('precedence', () => {
  it.each<[string, ConditionalHeaders, string]>([
    ['nothing asked', {}, 'proceed'],
    [
      'If-Match over If-Unmodified-Since',
      { 'if-match': '*', 'if-unmodified-since': before },
      'proceed',
    ],
    [
      'If-None-Match over If-Modified-Since',
      { 'if-none-match': '"x"', 'if-modified-since': at },
      'proceed',
    ],
    ['If-Match first', { 'if-match': '"x"', 'if-none-match': '*' }, 'precondition_failed'],
    ['then If-None-Match', { 'if-match': '*', 'if-none-match': '*' }, 'not_modified'],
    [
      'If-Unmodified-Since, then If-Modified-Since',
      { 'if-unmodified-since': at, 'if-modified-since': at },
      'not_modified',
    ],
    [
      'If-Unmodified-Since fails first',
      { 'if-unmodified-since': before, 'if-none-match': '*' },
      'precondition_failed',
    ],
  ])('%s', (_, headers, expected) => {
    expect(outcome(headers)).toBe(expected);
  });
});

describe('isRangeCurrent', () => {
  it.each([
    [undefined, true],
    ['"f3Zc-9_x"', true],
    ['W/"f3Zc-9_x"', false],
    ['"f3Zc-9_x-gzip"', false],
    ['"other"', false],
    ['"other", "f3Zc-9_x"', false],
    ['f3Zc-9_x', false],
    ['*', false],
    ['', false],
    [at, true],
    [before, false],
    [after, false],
  ])('%s → %s', (header, expected) => {
    expect(isRangeCurrent(header, validators)).toBe(expected);
  });

  it('compares the coding, and ignores dates if none is known', () => {
    expect(isRangeCurrent('"f3Zc-9_x-br"', validators, 'br')).toBe(true);
    expect(isRangeCurrent('"f3Zc-9_x"', validators, 'br')).toBe(false);
    expect(isRangeCurrent(at, { hash })).toBe(false);
  });
});

describe('any header', () => {
  it('any header is evaluated in linear time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('GET', 'POST'), (text, method) => {
        fc.pre(!text.includes(hash) && text.trim() !== '*');
        expect(outcome({ 'if-none-match': text }, method)).toBe('proceed');
        expect(outcome({ 'if-match': text }, method)).toBe('precondition_failed');
        expect(isRangeCurrent(text, validators)).toBe(false);
      }),
    );
    for (const unit of ['"a",', ' ', ',', 'W/', '"', '"a" ']) {
      expect(outcome({ 'if-none-match': `"x"${unit.repeat(200_000)}` })).toBe('proceed');
    }
  });

  // REQ-22
  it('finds our ETag in every list that has it', () => {
    const tag = fc.stringMatching(/^(W\/)?"[!#-+\--~]{0,8}"$/);
    const ours = fc
      .tuple(fc.constantFrom('identity', 'gzip', 'br'), fc.constantFrom('', 'W/'))
      .map(([coding, weak]) => weak + formatEtag(hash, coding as 'identity' | 'gzip' | 'br'));
    fc.assert(
      fc.property(fc.array(tag), ours, fc.array(tag), (head, own, tail) => {
        const list = [...head, own, ...tail].join(', ');
        expect(outcome({ 'if-none-match': list })).toBe('not_modified');
      }),
    );
  });
});
