import fc from 'fast-check';
import { Parser } from 'htmlparser2';
import { describe, expect, it } from 'vitest';
import { escapeHtml, escapeXml } from './escape.ts';

describe('escapeXml', () => {
  it.each([
    ['', ''],
    ['plain – “text” 日本 🎙️', 'plain – “text” 日本 🎙️'],
    [`<a b="c">&'`, '&lt;a b=&quot;c&quot;&gt;&amp;&apos;'],
    ['&amp;', '&amp;amp;'],
    [']]>', ']]&gt;'],
    ['tab\tline\nreturn\r', 'tab\tline\nreturn\r'],
    ['\0a\x01b\x08c\x0bd\x0ce\x1ff', 'abcdef'],
    ['\x7f\x85\x9f', '\x7f\x85\x9f'],
    ['\ufffea\uffffb\ufffd', 'ab\ufffd'],
    ['\ud800a\udc00b\udc00\ud800', 'ab'],
    ['\ud83c\udf99', '\ud83c\udf99'],
    ['\ud83c<\udf99', '&lt;'],
  ])('%j → %j', (text, expected) => {
    expect(escapeXml(text)).toBe(expected);
  });

  it('round-trips through an XML parser, in text and attributes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const read = { text: '', attribute: '' };
        const parser = new Parser(
          {
            ontext: (part) => {
              read.text += part;
            },
            onattribute: (_, value) => {
              read.attribute = value;
            },
          },
          { xmlMode: true },
        );
        parser.end(`<a b="${escapeXml(text)}">${escapeXml(text)}</a>`);
        const kept = [...text].filter(isXmlChar).join('');
        expect(read).toEqual({ text: kept, attribute: kept });
        expect(escapeXml(text).isWellFormed()).toBe(true);
      }),
    );
  });
});

/** The production `Char` of XML 1.0. */
function isXmlChar(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return (
    [0x9, 0xa, 0xd].includes(code) ||
    (code >= 0x20 && code <= 0xd7ff) ||
    (code >= 0xe000 && code <= 0xfffd) ||
    code >= 0x10000
  );
}

describe('escapeHtml', () => {
  it.each([
    ['plain 🎙️', 'plain 🎙️'],
    [`<a b="c">&'`, '&lt;a b=&quot;c&quot;&gt;&amp;&#39;'],
    ['&lt;', '&amp;lt;'],
  ])('%j → %j', (text, expected) => {
    expect(escapeHtml(text)).toBe(expected);
  });

  it('round-trips through an HTML parser', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        let read = '';
        const parser = new Parser({
          onattribute: (_, value) => {
            read = value;
          },
        });
        parser.end(`<i title='${escapeHtml(text)}'></i>`);
        expect(read).toBe(text);
      }),
    );
  });
});
