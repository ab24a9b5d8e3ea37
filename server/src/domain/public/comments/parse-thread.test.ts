import { describe, expect, it } from 'vitest';
import { makeReply } from '../../../../test/hosts/fediverse-host.ts';
import { tryParseThread } from './parse-thread.ts';

const post = { id: '1', host: 'social.example' };
const parse = (...descendants: unknown[]) =>
  tryParseThread(JSON.stringify({ ancestors: [], descendants }), post);
const htmlOf = (content: string) => parse(makeReply({ content }))?.[0]?.html;

// PAGE-22
describe('the replies to a post', () => {
  it('the replies to a post are each followed by those to them', () => {
    const thread = parse(
      makeReply({ id: 'a' }),
      makeReply({ id: 'b', in_reply_to_id: 'a', account: { acct: 'bo@elsewhere.example' } }),
      makeReply({ id: 'c', account: { acct: 'cy', display_name: ' ' } }),
      makeReply({ id: 'd', in_reply_to_id: 'a' }),
      makeReply({ id: 'e', in_reply_to_id: 'deleted' }),
    );
    expect(thread?.map(({ url, depth }) => [url.slice(-1), depth])).toEqual([
      ['a', 0],
      ['b', 1],
      ['d', 1],
      ['c', 0],
      ['e', 0],
    ]);
    expect(thread?.[0]).toEqual({
      name: 'Ana',
      account: '@ana@social.example',
      url: 'https://social.example/@ana/a',
      at: '2026-11-01T10:00:00.000Z',
      html: '<p>A reply.</p>',
      warning: null,
      depth: 0,
    });
    expect(thread?.[1]?.account).toBe('@bo@elsewhere.example');
    expect(thread?.[3]?.name).toBe('cy');
  });

  it('replies in a circle, or to themselves, are left out', () => {
    const thread = parse(
      makeReply({ id: 'a', in_reply_to_id: 'b' }),
      makeReply({ id: 'b', in_reply_to_id: 'a' }),
      makeReply({ id: 'c', in_reply_to_id: 'c' }),
      makeReply({ id: 'd' }),
      makeReply({ id: 'd' }),
      makeReply({ id: '1', in_reply_to_id: 'd' }),
    );
    expect(thread?.map(({ url }) => url.slice(-1))).toEqual(['d', '1', 'd']);
  });

  it('a chain of replies is indented only so far', () => {
    const chain = Array.from({ length: 50 }, (_, i) =>
      makeReply({ id: `c${i}`, in_reply_to_id: i === 0 ? '1' : `c${i - 1}` }),
    );
    expect(
      parse(...chain)
        ?.map(({ depth }) => depth)
        .slice(0, 7),
    ).toEqual([0, 1, 2, 3, 4, 4, 4]);
  });

  it('100,000 replies are cut to a hundred', () => {
    const many = Array.from({ length: 100_000 }, (_, i) => makeReply({ id: `m${i}` }));
    expect(parse(...many)).toHaveLength(100);
  });

  it('long replies are cut to 200,000 characters together', () => {
    const content = `<p>${'x'.repeat(19_993)}</p>`;
    const long = Array.from({ length: 60 }, (_, i) => makeReply({ id: `l${i}`, content }));
    expect(parse(...long)).toHaveLength(10);
  });

  it.each([
    ['is not public', { visibility: 'private' }],
    ['has no text', { content: '' }],
    ['has a text without end', { content: 'x'.repeat(20_001) }],
    ['has no time', { created_at: 'soon' }],
    ['has no page', { url: 'javascript:alert(1)' }],
    ['has a text of another type', { content: { length: 3 } }],
    ['has no author', { account: null }],
  ])('a reply that %s is left out', (_, fields) => {
    expect(parse({ ...makeReply(), ...fields })).toEqual([]);
  });

  it.each(['', '[]', '{"descendants":{}}', '<html>', `{"descendants":${'['.repeat(50)}`])(
    'a response that is something else has no comments: %s',
    (text) => {
      expect(tryParseThread(text, post)).toBeUndefined();
    },
  );
});

describe('the text of a reply', () => {
  it.each([
    ['<p>Hi <span class="h-card"><a href="https://a.example/@b">@b</a></span></p>', 'Hi'],
    ['<p>One<br>two</p><blockquote>three</blockquote>', '<br />'],
  ])('the text of a reply keeps links and paragraphs: %s', (content, kept) => {
    expect(htmlOf(content)).toContain(kept);
    expect(htmlOf(content)).not.toContain('span');
  });

  it.each([
    '<img src="https://a.example/x.png" alt="x">',
    '<script>alert(1)</script>',
    '<iframe src="https://a.example"></iframe>',
    '<svg onload="alert(1)"></svg>',
    '<style>body{display:none}</style>',
    '<form action="https://a.example"><input></form>',
    '<h1 id="main" class="x" style="position:fixed" onclick="alert(1)">x</h1>',
    '<a href="javascript:alert(1)">x</a>',
    '<video autoplay src="https://a.example/x.mp4"></video>',
    '<table><tr><td>x</td></tr></table>',
  ])('the text of a reply has no %s', (content) => {
    const clean = htmlOf(`<p>text</p>${content}`) ?? '';
    expect(clean).toContain('<p>text</p>');
    expect(clean).not.toMatch(
      /<(?:img|script|iframe|svg|style|form|input|h\d|video|table|td)|javascript|\son|\sid=|style=|class=/,
    );
  });

  it('deeply nested elements are text', () => {
    const deep = htmlOf(`x${'<blockquote>'.repeat(1_500)}`) ?? '';
    expect(deep.split('<blockquote').length).toBeLessThan(50);
    expect(deep).toContain('x');
  });

  it('a name has one line, and no characters that turn what follows', () => {
    const account = { acct: 'ana', display_name: `A\n\u202Ena${'x'.repeat(5_000)}` };
    const [one] = parse(makeReply({ account, spoiler_text: '\u2066Spoiler' })) ?? [];
    expect(one?.name).toMatch(/^A nax+…$/);
    expect(one?.name).toHaveLength(100);
    expect(one?.warning).toBe('Spoiler');
  });
});
