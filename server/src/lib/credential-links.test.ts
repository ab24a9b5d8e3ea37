import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { carriesCredential } from './credential.ts';
import { removeCredentialLinks } from './credential-links.ts';

const link = 'https://cdn.example/a.mp3?token=abc';

// KEYED-20
describe('removeCredentialLinks', () => {
  it.each([
    [link, ''],
    [`Listen at ${link} today.`, 'Listen at today.'],
    [`Listen at ${link}.`, 'Listen at.'],
    [`${link} is it`, 'is it'],
    [`It is (${link}), here`, 'It is (), here'],
    [`It is '${link}'!`, "It is ''!"],
    [`[here](${link})`, '[here]()'],
    [`<a href="${link}">here</a>`, '<a href="">here</a>'],
    [`one\n${link}\ntwo`, 'one\n\ntwo'],
    [`see:${link}`, 'see:'],
    [`见${link}。好`, '见。好'],
    [`${link} and ${link},${link}`, 'and'],
    [`https://ok.example/ ${link}`, 'https://ok.example/'],
    ['HTTPS://ANA:PW@CDN.EXAMPLE/ x', 'x'],
    ['ftp://ana:pw@cdn.example/ x', 'x'],
    ['at cdn.example/a?key=1 x', 'at x'],
    ['at www.cdn.example?x=1&sig=2 x', 'at x'],
    ['at //cdn.example:8080/a#access_token=1 x', 'at // x'],
    ['at https://пример.example/ф?token=1 x', 'at x'],
    ['at https://ok.example/?u=https://ana:pw@cdn.example/ x', 'at x'],
    ['at https://ok.example/,https://ana:pw@cdn.example/,https://c.example x', 'at x'],
    ['at https://cdn.example/eyJh.eyJz.c2ln/a.mp3 x', 'at x'],
    ['at https://cdn.example/?x=1&amp;token=2 x', 'at x'],
  ])('%j → %j', (text, expected) => {
    expect(removeCredentialLinks(text)).toBe(expected);
  });

  it.each([
    '',
    '  spaces  stay  ',
    'My token=abc and the key?token=1',
    'Write to ana@example.com, or mailto:ana@example.com?x=1',
    'https://ok.example/a.mp3?x=1#t=30',
    'ok.example/a.mp3?episode=1',
    'e.g.?token and/or?key=1 and 3.5/4',
    '://?token=1',
    'Really?! https:// …',
  ])('leaves %j as it is', (text) => {
    expect(removeCredentialLinks(text)).toBe(text);
  });

  it('removes every link with a token, and nothing else', () => {
    const word = fc.constantFrom(
      'and',
      'so,',
      'https://ok.example/?a=1',
      'ok.example/x',
      '(see)',
      '–',
    );
    const secret = fc.constantFrom(link, 'https://u:p@h.example/', 'h.example/?sig=1');
    fc.assert(
      fc.property(fc.array(fc.oneof(word, secret)), (words) => {
        const expected = words.filter((one) => !carriesCredential(one) && !one.includes('?sig'));
        expect(removeCredentialLinks(words.join(' '))).toBe(expected.join(' '));
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const kept = removeCredentialLinks(text);
        expect(removeCredentialLinks(kept)).toBe(kept);
      }),
    );
  });

  it('takes linear time', () => {
    const units = [
      'a',
      'a.',
      '://',
      'a://',
      'a://b?',
      `${link} `,
      `${link},`,
      '.',
      '(',
      '@',
      '?token=',
    ];
    for (const unit of units) {
      const text = unit.repeat(1_000_000 / unit.length);
      expect(removeCredentialLinks(text).length).toBeLessThanOrEqual(text.length);
    }
  });
});
