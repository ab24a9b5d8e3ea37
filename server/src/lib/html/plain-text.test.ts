import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { htmlToPlainText } from './html-to-plain-text.ts';
import { plainTextToHtml } from './plain-text-to-html.ts';

const link = (href: string, text = href) => `<a href="${href}" rel="nofollow noopener">${text}</a>`;

describe('htmlToPlainText', () => {
  it.each([
    ['<p>One</p><p>Two<br>three</p>', 'One\n\nTwo\nthree'],
    ['<h2>Title</h2><p>Text</p>', 'Title\n\nText'],
    ['<ul><li>a</li><li>b</li></ul>', '- a\n- b'],
    ['<ol><li>a</li><li>b</li></ol>', '1. a\n2. b'],
    [
      'See <a href="https://example.com/a?b&amp;c">here</a>.',
      'See here (https://example.com/a?b&c).',
    ],
    ['<a href="https://example.com">https://example.com</a>', 'https://example.com'],
    ['<a href="mailto:a@example.com">a@example.com</a>', 'a@example.com'],
    ['<a href="#x">jump</a>', 'jump'],
    ['A &amp; B &lt;3 &eacute;&nbsp;x', 'A & B <3 é\u00a0x'],
    ['<p>a</p><p></p><p> </p><div></div><p>b</p>', 'a\n\nb'],
    ['<p>a<br><br><br><br>b</p>', 'a\n\nb'],
    [`<p>${'word '.repeat(60)}</p>`, 'word '.repeat(60).trim()],
    ['<script>alert(1)</script><style>p{}</style>x<img src="a" alt="b">', 'x'],
    ['<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a b\nc'],
    ['<pre>a\n  b</pre>', 'a\n  b'],
    ['no markup', 'no markup'],
    ['', ''],
    ['a&#0;&#1;b', 'a\ufffdb'],
  ])('%s', (html, text) => {
    expect(htmlToPlainText(html)).toBe(text);
  });

  it('accepts anything, however deep or long', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (html) => {
        expect(htmlToPlainText(html)).not.toMatch(/\n{3}|[ \t]$/m);
      }),
    );
    expect(htmlToPlainText(`${'<div>'.repeat(100_000)}x`)).toBeTypeOf('string');
    expect(htmlToPlainText('<td colspan="1000000000">x').trim()).toBe('x');
    expect(htmlToPlainText('x '.repeat(1_000_000)).length).toBeLessThanOrEqual(1_000_000);
  });
});

describe('plainTextToHtml', () => {
  it('links the first thousand addresses', () => {
    const html = plainTextToHtml('http://a.example '.repeat(1_001));
    expect(html.split('<a href=').length - 1).toBe(1_000);
    expect(html).toMatch(/<\/a> http:\/\/a\.example<\/p>$/);
  });

  it.each([
    ['One', '<p>One</p>'],
    ['One\ntwo\r\n\r\nThree', '<p>One<br />\ntwo</p>\n<p>Three</p>'],
    ['a\n \t\n\n\nb', '<p>a</p>\n<p>b</p>'],
    ['1 < 2 & "3" > \'2\'', '<p>1 &lt; 2 &amp; "3" &gt; \'2\'</p>'],
    ['<script>alert(1)</script>', '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>'],
    ['See https://example.com/a?b=c&d.', `<p>See ${link('https://example.com/a?b=c&amp;d')}.</p>`],
    ['(https://example.com/a_(b))', `<p>(${link('https://example.com/a_(b)')})</p>`],
    ['HTTP://Example.com!', `<p>${link('HTTP://Example.com')}!</p>`],
    [
      'https://exämple.com/',
      `<p>${link('https://xn--exmple-cua.com/', 'https://exämple.com/')}</p>`,
    ],
    ['https://', '<p>https://</p>'],
    ['https://[nonsense', '<p>https://[nonsense</p>'],
    ['javascript:alert(1) ftp://x.example', '<p>javascript:alert(1) ftp://x.example</p>'],
    ['xhttps://example.com', '<p>xhttps://example.com</p>'],
    ['  \n ', ''],
    ['', ''],
  ])('%s', (text, html) => {
    expect(plainTextToHtml(text)).toBe(html);
  });

  it('keeps every word in a round trip', () => {
    const words = fc.stringMatching(/^[a-z0-9<>&"' -]{1,20}$/);
    fc.assert(
      fc.property(fc.array(words, { maxLength: 8 }), (lines) => {
        const squeezed = (text: string) => text.split(/\s+/).filter(Boolean);
        const text = lines.join('\n');
        expect(squeezed(htmlToPlainText(plainTextToHtml(text)))).toEqual(squeezed(text));
      }),
    );
  });
});
