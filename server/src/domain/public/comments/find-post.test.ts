import { describe, expect, it } from 'vitest';
import { findPostUrl, findStatus } from './find-post.ts';

const post = (attributes: Record<string, string>) => ({
  name: 'podcast:socialInteract',
  attributes: Object.entries(attributes),
  text: '',
  children: [],
});

// PAGE-22
describe('the post of an episode', () => {
  it('the post of an episode is the first one in the fediverse', () => {
    const posts = [
      post({ protocol: 'twitter', uri: 'https://x.example/1' }),
      post({ protocol: 'activitypub', uri: 'https://b.example/@b/2', priority: '2' }),
      post({ protocol: 'activitypub', uri: 'https://a.example/@a/1#x', priority: '1' }),
    ];
    expect(findPostUrl(posts)).toBe('https://a.example/@a/1');
    expect(findPostUrl([post({ protocol: 'disabled' })])).toBeUndefined();
    expect(findPostUrl([])).toBeUndefined();
  });

  it.each(['javascript:alert(1)', 'at://did/x', `https://a.example/${'x'.repeat(2_000)}`])(
    'the post of an episode is not %s',
    (uri) => {
      expect(findPostUrl([post({ protocol: 'activitypub', uri })])).toBeUndefined();
    },
  );
});

describe('the address of the replies', () => {
  it.each([
    ['https://a.example/@ana/112233', '112233'],
    ['https://a.example/@ana@b.example/112233', '112233'],
    ['https://a.example/web/@ana/112233', '112233'],
    ['https://a.example/@ana/statuses/01HABCDEF', '01HABCDEF'],
    ['https://a.example/users/ana/statuses/112233?x=1', '112233'],
    ['https://a.example/ap/users/7/statuses/112233', '112233'],
    ['https://a.example/notice/AbC123', 'AbC123'],
  ])('the address of the replies to %s has the id %s', (url, id) => {
    expect(findStatus(url)).toEqual({
      id,
      contextUrl: `https://a.example/api/v1/statuses/${id}/context`,
    });
  });

  it.each([
    'https://a.example/',
    'https://a.example/@ana',
    'https://a.example/@ana/1/../../admin',
    'https://a.example/@ana/%2e%2e%2fadmin',
    'https://a.example/w/abc',
    `https://a.example/@ana/${'1'.repeat(65)}`,
  ])('the address of the replies to %s is not known', (url) => {
    expect(findStatus(url)).toBeUndefined();
  });
});
