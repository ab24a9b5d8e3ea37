import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderTitle, titleSize } from './title.ts';

describe('renderTitle', () => {
  it('lets Japanese break only between words', () => {
    expect(renderTitle('夜の信号：アンテナが聞いたもの', 'ja').text.split('<wbr>')).toEqual([
      '夜の',
      '信号：',
      'アンテナが',
      '聞いたもの',
    ]);
    expect(renderTitle('物語のポッドキャスト', 'ja').text.split('<wbr>')).toEqual([
      '物語の',
      'ポッド',
      'キャスト',
    ]);
    expect(renderTitle('第3回「夜明け」の音', 'ja-JP').text).not.toMatch(/「<wbr>|<wbr>」/);
  });

  it('lets Korean break only at spaces', () => {
    expect(renderTitle('밤의 신호', 'ko').text).toBe('밤의 <wbr>신호');
  });

  it('leaves other languages as they are', () => {
    expect(renderTitle('夜の信号', 'zh').text).toBe('夜の信号');
    expect(renderTitle('First light & more', 'en').text).toBe('First light &amp; more');
  });

  it('begins no line with a mark that has a space before it, and ends none with one', () => {
    expect(renderTitle('Épisode 3 : « Où aller ? »', 'fr').text).toBe(
      'Épisode 3\u00A0: «\u00A0Où aller\u00A0?\u00A0»',
    );
  });

  it('keeps every character, and escapes markup', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (title) => {
        expect(renderTitle(title, 'ja').text.replaceAll('<wbr>', '')).toBe(
          renderTitle(title, 'en').text,
        );
      }),
    );
  });
});

describe('titleSize', () => {
  it('titles are smaller if they are long, or if one of their words is', () => {
    expect(titleSize('A conversation about tides and turning eighty')).toBe('title');
    expect(titleSize('A conversation about tides, time, and what it is like to turn eighty')).toBe(
      'title long',
    );
    expect(titleSize('Das Verkehrsinfrastrukturgesetz')).toBe('title long');
    expect(titleSize('Достопримечательность')).toBe('title long');
    expect(titleSize('夜の探検終電のあとに見つけた東京の小さな音')).toBe('title');
    expect(titleSize('Slow '.repeat(40))).toBe('title endless');
  });
});
