import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { feedCases, readFeedCase } from '../../test/feed-cases.ts';
import { tryParseFeedDate } from './feed-date.ts';
import { formatRfc2822 } from './time.ts';

describe('tryParseFeedDate', () => {
  it.each([
    ['Wed, 02 Oct 2002 13:00:00 GMT', '2002-10-02T13:00:00.000Z'],
    ['Wed, 02 Oct 2002 15:00:00 +0200', '2002-10-02T13:00:00.000Z'],
    ['Wed, 02 Oct 2002 08:30:00 -0430', '2002-10-02T13:00:00.000Z'],
    ['Wed, 02 Oct 2002 13:00:00 -0000', '2002-10-02T13:00:00.000Z'],
    ['Wed, 02 Oct 2002 15:00:00 +02:00', '2002-10-02T13:00:00.000Z'],
    ['Wed, 02 Oct 2002 08:00:00 -500', '2002-10-02T13:00:00.000Z'],
    ['Wed, 02 Oct 2002 15:00:00 +02', '2002-10-02T13:00:00.000Z'],
    ['Wed, 02 Oct 2002 08:00:00 EST', '2002-10-02T13:00:00.000Z'],
    ['Wed, 02 Oct 2002 09:00:00 EDT', '2002-10-02T13:00:00.000Z'],
    ['Wed, 02 Oct 2002 05:00:00 pst', '2002-10-02T13:00:00.000Z'],
    ['Wed, 02 Oct 2002 07:00:00 MDT', '2002-10-02T13:00:00.000Z'],
    ['Wed, 02 Oct 2002 15:00:00 CEST', '2002-10-02T13:00:00.000Z'],
    ['Wed, 02 Oct 2002 13:00:00 UT', '2002-10-02T13:00:00.000Z'],
    ['Wed, 02 Oct 2002 13:00:00 Z', '2002-10-02T13:00:00.000Z'],
    ['Wed, 02 Oct 2002 13:00:00 XYZ', '2002-10-02T13:00:00.000Z'],
    ['Wed, 02 Oct 2002 13:00:00 -3000', '2002-10-02T13:00:00.000Z'],
    ['Wed, 02 Oct 2002 13:00:00 +0175', '2002-10-02T13:00:00.000Z'],
    ['Wed, 02 Oct 2002 13:00:00 +100:00', '2002-10-02T13:00:00.000Z'],
    ['2002-10-02T13:00:00+99:99', '2002-10-02T13:00:00.000Z'],
    ['Wed, 02 Oct 2002 13:00:00', '2002-10-02T13:00:00.000Z'],
    ['Wed, 02 Oct 2002 13:00 GMT', '2002-10-02T13:00:00.000Z'],
    ['Wed, 2 Oct 2002 13:00:00 GMT', '2002-10-02T13:00:00.000Z'],
    ['Wed,  2 Oct  2002   13:00:00\n GMT ', '2002-10-02T13:00:00.000Z'],
    ['Wed,02 Oct 2002 13:00:00 GMT', '2002-10-02T13:00:00.000Z'],
    ['Mon, 02 Oct 2002 13:00:00 GMT', '2002-10-02T13:00:00.000Z'], // it was a Wednesday
    ['Wednesday, 02 October 2002 13:00:00 GMT', '2002-10-02T13:00:00.000Z'],
    ['Mittwoch, 02 Oct 2002 13:00:00 GMT', '2002-10-02T13:00:00.000Z'],
    ['02 Oct 2002 13:00:00 GMT', '2002-10-02T13:00:00.000Z'],
    ['2 oct 02 13:00 +0000', '2002-10-02T13:00:00.000Z'],
    ['Sun, 06 Nov 94 08:49:37 GMT', '1994-11-06T08:49:37.000Z'],
    ['Sunday, 06-Nov-94 08:49:37 GMT', '1994-11-06T08:49:37.000Z'],
    ['Tue, 03 Sept 2019 00:00:00 GMT', '2019-09-03T00:00:00.000Z'],
    ['Wed, 02 Oct 2002', '2002-10-02T00:00:00.000Z'],
    ['Wed, 02 Oct 2002 1:00:00 PM GMT', '2002-10-02T13:00:00.000Z'],
    ['Wed, 02 Oct 2002 12:00 am EST', '2002-10-02T05:00:00.000Z'],
    ['Wed, 02 Oct 2002 24:00:00 GMT', '2002-10-03T00:00:00.000Z'],
    ['Sat, 31 Dec 2016 23:59:60 GMT', '2017-01-01T00:00:00.000Z'],
    ['Wed, 02 Oct 2002 13:00:00 GMT (UTC)', '2002-10-02T13:00:00.000Z'],
    [
      'Wed Oct 02 2002 15:00:00 GMT+0200 (Central European Summer Time)',
      '2002-10-02T13:00:00.000Z',
    ],
    ['October 2, 2002', '2002-10-02T00:00:00.000Z'],
    ['Oct 2nd, 2002 13:00', '2002-10-02T13:00:00.000Z'],
    ['2002-10-02T13:00:00Z', '2002-10-02T13:00:00.000Z'],
    ['2002-10-02T13:00:00.1234567Z', '2002-10-02T13:00:00.123Z'],
    ['2002-10-02T15:00:00+02:00', '2002-10-02T13:00:00.000Z'],
    ['2002-10-02T13:00:00', '2002-10-02T13:00:00.000Z'],
    ['2002-10-02t13:00z', '2002-10-02T13:00:00.000Z'],
    ['2002-10-02 13:00:00 +0000', '2002-10-02T13:00:00.000Z'],
    ['2002-10-02 13:00:00 UTC', '2002-10-02T13:00:00.000Z'],
    ['2002-10-02', '2002-10-02T00:00:00.000Z'],
    ['2002/10/2', '2002-10-02T00:00:00.000Z'],
    ['Sun, 30 Oct 1938 20:00:00 -0500', '1938-10-31T01:00:00.000Z'],
  ])('reads %s', (text, expected) => {
    expect(tryParseFeedDate(text)?.toISOString()).toBe(expected);
  });

  it.each([
    '',
    ' ',
    'yesterday',
    '1033563600',
    '10/02/2002',
    '13:00:00 GMT',
    'Wed, 02 Foo 2002 13:00:00 GMT',
    'Sat, 31 Feb 2002 13:00:00 GMT',
    'Wed, 00 Oct 2002 13:00:00 GMT',
    'Wed, 02 Oct 13:00:00 GMT',
    'Wed, 02 Oct 2002 25:00:00 GMT',
    'Wed, 02 Oct 2002 24:00:01 GMT',
    'Wed, 02 Oct 2002 13:60:00 GMT',
    'Wed, 02 Oct 2002 13:00:61 GMT',
    'Wed, 02 Oct 2002 13:00 PM',
    'Wed, 02 Oct 2002 13:00:00 GMT and more',
    'Wed, 02 Oct 20022 13:00:00 GMT',
    '2002-13-02',
    '2002-02-29T00:00:00Z',
    '0001-01-01T00:00:00Z',
    '0099-01-01T00:00:00Z',
    'Thu, 01 Jan 1801 00:00:00 GMT',
    'x'.repeat(1_000_000),
    `${' '.repeat(1_000_000)}2002-10-02`,
  ])('tryParseFeedDate does not guess (%#)', (text) => {
    expect(tryParseFeedDate(text)).toBeUndefined();
  });

  it('reads the dates of our own feeds, and never throws', () => {
    const dates = fc.date({
      min: new Date('1901-01-01T00:00:00Z'),
      max: new Date('9999-12-30T00:00:00Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(dates, (date) => {
        const seconds = Math.floor(date.getTime() / 1000) * 1000;
        expect(tryParseFeedDate(formatRfc2822(date))?.getTime()).toBe(seconds);
        expect(tryParseFeedDate(date.toISOString())).toEqual(date);
      }),
    );
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'0123456789:-+, TZJanGMTpm()/.') }),
        (text) => {
          expect(tryParseFeedDate(text)?.getTime()).not.toBeNaN();
        },
      ),
    );
  });

  it.each(feedCases)('reads the dates of a feed as Date.parse does: %s', async (name) => {
    const feed = (await readFeedCase(name)).toString();
    const dates = [...feed.matchAll(/<(?:pubDate|lastBuildDate)>([^<]+)</g)].map(
      ([, text]) => text,
    );
    const read = dates.map((text = '') => [text, tryParseFeedDate(text)?.getTime()]);
    expect(read).toEqual(dates.map((text = '') => [text, Date.parse(text)]));
  });
});
