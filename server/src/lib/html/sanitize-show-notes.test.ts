import fc from 'fast-check';
import { Parser } from 'htmlparser2';
import { describe, expect, it } from 'vitest';
import { plainTextToHtml } from './plain-text-to-html.ts';
import { maxShowNotesLength, sanitizeShowNotes } from './sanitize-show-notes.ts';

const rel = 'rel="nofollow noopener"';

describe('allowed markup stays', () => {
  it.each([
    ['<p>One<br>two</p>', '<p>One<br />two</p>'],
    ['<p>A &amp; B &lt;3&nbsp;&eacute;</p>', '<p>A &amp; B &lt;3\u00a0é</p>'],
    [
      '<b>b</b><i>i</i><em>e</em><strong>s</strong><u>u</u>',
      '<b>b</b><i>i</i><em>e</em><strong>s</strong><u>u</u>',
    ],
    [
      '<ul><li>1</li><li>2</li></ul><ol><li>3</li></ol>',
      '<ul><li>1</li><li>2</li></ul><ol><li>3</li></ol>',
    ],
    ['<ul><li>1<li>2</ul>', '<ul><li>1</li><li>2</li></ul>'],
    ['<h1>T</h1><h2>S</h2><h6>s</h6>', '<h2>T</h2><h2>S</h2><h6>s</h6>'],
    [
      '<blockquote>q</blockquote><pre><code>a  &lt; b\n</code></pre>',
      '<blockquote>q</blockquote><pre><code>a  &lt; b\n</code></pre>',
    ],
    ['<table><tr><td colspan="2">x</td></tr></table>', '<table><tr><td>x</td></tr></table>'],
    ['<section><article>a</article></section>', '<div><div>a</div></div>'],
    ['<span style="color:red">a</span><font>b</font>', 'ab'],
    ['<p>open <em>never closed', '<p>open <em>never closed</em></p>'],
    ['a ]]> b', 'a ]]&gt; b'],
    ['1 < 2 & 3 > 2', '1 &lt; 2 &amp; 3 &gt; 2'],
    ['Plain words', 'Plain words'],
    ['', ''],
  ])('%s', (html, expected) => {
    expect(sanitizeShowNotes(html)).toBe(expected);
  });
});

describe('links and headings have a name', () => {
  const open = `<a href="https://www.example.com/a" ${rel}>`;
  const picture = (alt: string) =>
    `<img src="https://example.com/a.png" alt="${alt}" loading="lazy" referrerpolicy="no-referrer" />`;
  it.each([
    ['<p>a<a href="https://example.com/"> <b></b></a>b</p>', '<p>a <b></b>b</p>'],
    ['<h2> </h2><h3>&nbsp;<strong><br></strong></h3><p>x</p>', '<p>x</p>'],
    ['<h2><a href="https://example.com/"></a></h2>', ''],
    ['<h2><img src="https://example.com/a.png"></h2>', `<h2>${picture('')}</h2>`],
    [
      '<a href="https://www.example.com/a"><img src="https://example.com/a.png"></a>',
      `${open}${picture('example.com')}</a>`,
    ],
    [
      '<a href="https://www.example.com/a"><img src="https://example.com/a.png"> Words</a>',
      `${open}${picture('')} Words</a>`,
    ],
  ])('%s', (html, expected) => {
    expect(sanitizeShowNotes(html)).toBe(expected);
    expect(sanitizeShowNotes(expected)).toBe(expected);
  });
});

describe('links', () => {
  it.each([
    [
      '<a href="https://example.com/a?b=c&d#e" target="_blank" class="x">x</a>',
      `<a href="https://example.com/a?b=c&amp;d#e" ${rel}>x</a>`,
    ],
    ['<a href="http://example.com">x</a>', `<a href="http://example.com" ${rel}>x</a>`],
    [
      '<a href="mailto:ana@example.com?subject=Hi">x</a>',
      `<a href="mailto:ana@example.com?subject=Hi" ${rel}>x</a>`,
    ],
    [
      '<a href=" https://example.com/a b ">x</a>',
      `<a href="https://example.com/a%20b" ${rel}>x</a>`,
    ],
    [
      '<a href="https://exämple.com/ä">x</a>',
      `<a href="https://xn--exmple-cua.com/%C3%A4" ${rel}>x</a>`,
    ],
    [
      '<a href="https://example.com/" rel="opener follow">x</a>',
      `<a href="https://example.com/" ${rel}>x</a>`,
    ],
    ['<a href="/relative">x</a>', 'x'],
    ['<a href="//example.com">x</a>', 'x'],
    ['<a href="#top" name="top">x</a>', 'x'],
    ['<a href="tel:+1">x</a>', 'x'],
    ['<p><a href="nonsense">x</a></p><p>y</p>', '<p>x</p><p>y</p>'],
  ])('%s', (html, expected) => {
    expect(sanitizeShowNotes(html)).toBe(expected);
  });
});

describe('pictures', () => {
  const kept = 'loading="lazy" referrerpolicy="no-referrer" />';
  it.each([
    [
      '<img src="https://example.com/a.png">',
      `<img src="https://example.com/a.png" alt="" ${kept}`,
    ],
    [
      '<img src="https://example.com/a.png" alt="A &quot;b&quot;" width="640" height="9e9" srcset="http://evil.example/x 2x" onload="x()">',
      `<img src="https://example.com/a.png" alt="A &quot;b&quot;" width="640" ${kept}`,
    ],
    ['<img src="http://example.com/a.png">', ''],
    ['<img src="https://example.com/count.gif" width="1" height="1">', ''],
    ['<img src="https://example.com/count.gif" width="0">', ''],
    ['<img src="data:image/png;base64,AAAA">', ''],
    ['a<img src="cid:1">b', 'ab'],
  ])('%s', (html, expected) => {
    expect(sanitizeShowNotes(html)).toBe(expected);
  });
});

const attacks = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=//evil.example/x.js></SCRIPT>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<script/xss src="https://evil.example/x.js"></script>',
  '<<script>alert(1)//<</script>',
  '<img src=x onerror=alert(1)>',
  '<img src="https://a.example/x.png" onerror="alert(1)">',
  '<img src="javascript:alert(1)">',
  '<img """><script>alert(1)</script>">',
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="JaVaScRiPt:alert(1)">x</a>',
  '<a href="java\nscript:alert(1)">x</a>',
  '<a href="java&#10;script:alert(1)">x</a>',
  '<a href="&#106;&#97;vascript:alert(1)">x</a>',
  '<a href=" \u0001javascript:alert(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="https://example.com/" onclick="alert(1)">x</a>',
  '<a href="https://example.com/"onmouseover="alert(1)">x</a>',
  '<iframe src="https://evil.example/"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<object data="javascript:alert(1)"></object><embed src="javascript:alert(1)">',
  '<form action="javascript:alert(1)"><button formaction="javascript:alert(1)">x</button></form>',
  '<input autofocus onfocus=alert(1)>',
  '<style>@import "https://evil.example/x.css";</style>',
  '<div style="background:url(javascript:alert(1))">x</div>',
  '<link rel=stylesheet href="https://evil.example/x.css">',
  '<meta http-equiv="refresh" content="0;url=https://evil.example/">',
  '<base href="https://evil.example/">',
  '<video><source onerror="alert(1)"></video>',
  '<details open ontoggle=alert(1)>x</details>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  '<template><script>alert(1)</script></template>',
  '<textarea><script>alert(1)</script></textarea>',
  '<xmp><script>alert(1)</script></xmp>',
  '<title><img src=x onerror=alert(1)></title>',
  '<option>&lt;script&gt;alert(1)&lt;/script&gt;</option>',
  '<!--><script>alert(1)</script>-->',
  '<!--[if IE]><script>alert(1)</script><![endif]-->',
  '<![CDATA[<script>alert(1)</script>]]>',
  ']]><script>alert(1)</script>',
  '<p id="app" class="admin" name="x">x</p>',
  '<p/onclick=alert(1)>x',
  '<x onclick=alert(1)>x</x>',
  '<isindex type=image src=1 onerror=alert(1)>',
  '<?xml-stylesheet href="javascript:alert(1)"?>',
  '<body onload=alert(1)><html onclick=alert(1)>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  `${'<b>'.repeat(5000)}<script>alert(1)</script>`,
];

const allowedTags = new Set(
  'p div br hr h2 h3 h4 h5 h6 blockquote pre code ul ol li dl dt dd table thead tbody tr th td a img em strong b i u s sub sup small'.split(
    ' ',
  ),
);
const allowedAttributes = new Set([
  'href',
  'rel',
  'src',
  'alt',
  'width',
  'height',
  'loading',
  'referrerpolicy',
]);

/** Reads the output like a browser and like an XML parser, and lists its problems. */
function problemsOf(html: string): string[] {
  const problems: string[] = [];
  if (html.includes(']]>')) problems.push('ends CDATA');
  if (/[^\t\n\u0020-\uFFFD]|[\uD800-\uDFFF]/.test(html.replace(/[\u{10000}-\u{10FFFF}]/gu, ''))) {
    problems.push('not XML characters');
  }
  const parser = new Parser({
    onopentag(name, attribs) {
      if (!allowedTags.has(name)) problems.push(`tag ${name}`);
      for (const [attribute, value] of Object.entries(attribs)) {
        if (!allowedAttributes.has(attribute)) problems.push(`attribute ${attribute}`);
        const isAddress = attribute === 'href' || attribute === 'src';
        if (isAddress && !/^(https?:\/\/|mailto:)/i.test(value)) problems.push(`address ${value}`);
      }
    },
    oncomment: () => problems.push('comment'),
    onprocessinginstruction: () => problems.push('instruction'),
  });
  parser.end(html);
  // Well-formed: every tag is closed, in order.
  const open: string[] = [];
  for (const [, closing, name, empty] of html.matchAll(/<(\/?)([a-z0-9]+)[^>]*?(\/?)>/g)) {
    if (closing === '/') {
      if (open.pop() !== name) problems.push(`</${name}> out of place`);
    } else if (empty !== '/') open.push(name!);
  }
  if (open.length > 0) problems.push(`<${open.join('>, <')}> left open`);
  if (/&(?!amp;|lt;|gt;|quot;)/.test(html)) problems.push('a bare "&"');
  return problems;
}

describe('attacks', () => {
  it.each(attacks)('%s', (attack) => {
    for (const html of [
      attack,
      `<p>${attack}</p>`,
      `<ul><li>${attack}`,
      `<a href="https://a.example/">${attack}`,
    ]) {
      expect(problemsOf(sanitizeShowNotes(html))).toEqual([]);
    }
  });

  it('an attack is detected by the checks of this test', () => {
    for (const [html, problem] of [
      ['<script>x</script>', 'tag script'],
      ['<p onclick="x">y</p>', 'attribute onclick'],
      ['<a href="javascript:x">y</a>', 'address javascript:x'],
      ['<p>y', '<p> left open'],
      ['<b><i></b></i>', '</b> out of place'],
      ['a & b', 'a bare "&"'],
      [']]>', 'ends CDATA'],
      ['\u0001', 'not XML characters'],
    ] as const) {
      expect(problemsOf(html)).toContain(problem);
    }
  });
});

describe('any input', () => {
  const pieces = fc.array(
    fc.oneof(
      fc.constantFrom(...attacks.slice(0, -1)),
      fc.constantFrom(
        '<p>',
        '</p>',
        '<a href="https://a.example/">',
        '</a>',
        '<div>',
        '</div>',
        '<table>',
        '<tr>',
        '<td>',
        '</table>',
        '<ul>',
        '<li>',
        '</ul>',
        '<pre>',
        '\n',
        '<h1>',
        '</h1>',
        '<svg>',
        '</svg>',
        '<button>',
        '<form>',
        '<select>',
        '<',
        '>',
        '"',
        '&#1;',
        '&#xD800;',
        '&amp;lt;',
        '\uD800',
        ']]&gt;',
      ),
      fc.string({ unit: 'binary', maxLength: 8 }),
    ),
    { maxLength: 20 },
  );

  it('any input becomes safe and well-formed, and sanitizing again changes nothing', () => {
    fc.assert(
      fc.property(pieces, (parts) => {
        const once = sanitizeShowNotes(parts.join(''));
        expect(problemsOf(once)).toEqual([]);
        expect(sanitizeShowNotes(once)).toBe(once);
      }),
      { numRuns: 1000 },
    );
  });

  it('the output for any input has a limited length', () => {
    expect(() => sanitizeShowNotes('x'.repeat(maxShowNotesLength + 1))).toThrow(RangeError);
    expect(() => sanitizeShowNotes('<'.repeat(maxShowNotesLength))).toThrow(RangeError);
    expect(sanitizeShowNotes('x'.repeat(maxShowNotesLength))).toHaveLength(maxShowNotesLength);
  });

  it('any input stays as it is if it came from plainTextToHtml', () => {
    const texts = fc.array(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.webUrl({ withQueryParameters: true, withFragments: true }),
        fc.constantFrom('\n', '\n\n', ' ', 'https://a.example/(b)).', 'http://[::1]/"x'),
      ),
    );
    fc.assert(
      fc.property(texts, (parts) => {
        const html = plainTextToHtml(parts.join(''));
        expect(sanitizeShowNotes(html)).toBe(html);
      }),
      { numRuns: 500 },
    );
  });
});
