import { expect, it } from 'vitest';
import { acceptableGrowth, measureGrowth } from '../../test/growth.ts';
import { summarize } from './summary.ts';

const prose = 'Mara finds the letters. Theo reads them aloud.';

it.each<[about: string, description: string, summary: string]>([
  ['one paragraph', prose, prose],
  ['the first of several', `${prose}\n\nThe second one is longer than that.`, prose],
  ['a list first', `- tea\n- coffee\n\n${prose}`, prose],
  ['a numbered list first', `1. tea\n2. coffee\n\n${prose}`, prose],
  ['a list and its introduction', `In this episode:\n• tea\n• coffee\n\n${prose}`, prose],
  ['chapters first', `00:00 Intro\n(12:05) Letters\n1:02:05 End\n\n${prose}`, prose],
  ['a URL first', `https://example.com/a?b=c\n\n${prose}`, prose],
  ['a label and a URL', `Website: www.example.com\n\n${prose}`, prose],
  [
    'links in the text',
    'Read the letter (https://example.com/x) at https://e.example/ now.',
    'Read the letter at e.example now.',
  ],
  [
    'a link that ends a sentence',
    'See https://www.e.example/map?a=b for the map. More at www.e.example/x. Write mailto:a@e.example!',
    'See e.example for the map. More at e.example. Write',
  ],
  [
    'a link with letters of its language',
    'Alles steht auf https://bücher.example/liste bereit.',
    'Alles steht auf bücher.example bereit.',
  ],
  [
    'links one after the other',
    'Follow us: https://a.example/us https://b.example\nwww.c.example https://d.example/\nThanks.',
    'Follow us: Thanks.',
  ],
  [
    'a URL with brackets',
    'Lamps (https://e.example/a_(b)) shine all night.',
    'Lamps shine all night.',
  ],
  ['a heading first', `Show notes\n\n${prose}`, prose],
  ['a heading and a list only', 'Show notes\n\n- tea\n- coffee', 'Show notes'],
  ['a short text without a period', 'A talk with Theo', 'A talk with Theo'],
  [
    'entities',
    'Tea &amp; toast &#8211; for &quot;all&quot; of us.',
    'Tea & toast – for "all" of us.',
  ],
  ['lines of a paragraph', 'Mara finds\nthe letters.', 'Mara finds the letters.'],
  [
    'Arabic',
    'روابط\n\n- https://example.com\n\nتقرأ مارا الرسائل كلها؟',
    'تقرأ مارا الرسائل كلها؟',
  ],
  ['Hebrew with a list', '- תה\n- קפה\n\nמרים קוראת את המכתבים.', 'מרים קוראת את המכתבים.'],
  ['Japanese', '番組ノート\n\nマラは手紙を読みます。', 'マラは手紙を読みます。'],
  ['only links', 'https://example.com\n\nwww.example.com', ''],
  ['nothing', ' \n ', ''],
])('the summary of notes: %s', (_about, description, summary) => {
  expect(summarize({ subtitle: null, description })).toBe(summary);
  expect(summarize({ subtitle: ' ', description })).toBe(summary);
});

it('a subtitle is the summary', () => {
  expect(summarize({ subtitle: ' Tea &amp; toast ', description: prose })).toBe('Tea & toast');
});

it.each([...['(', ' (https://', '\n \n', '- ', '&', 'www.', '1', '((', '12:']])(
  'notes of repeated %j are summarized in linear time',
  (text) => {
    const work = (n: number) => summarize({ subtitle: null, description: text.repeat(n) });
    expect(measureGrowth(work, { largest: 400_000 })).toBeLessThan(acceptableGrowth);
  },
);
