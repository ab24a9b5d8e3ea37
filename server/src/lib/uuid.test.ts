import { describe, expect, it } from 'vitest';
import { isUuid, newId, podcastGuid } from './uuid.ts';

describe('newId', () => {
  it('gives ids that sort by creation time', () => {
    const ids = Array.from({ length: 1000 }, newId);
    expect(new Set(ids).size).toBe(1000);
    expect([...ids].sort()).toEqual(ids);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab]/);
  });
});

describe('isUuid', () => {
  it.each([
    newId(),
    '550e8400-e29b-41d4-a716-446655440000',
    '550E8400-E29B-41D4-A716-446655440000',
    '00000000-0000-0000-0000-000000000000',
    '12345678-1234-f234-0234-123456789abc',
  ])('takes %s', (text) => {
    expect(isUuid(text)).toBe(true);
  });

  it.each([
    '',
    'latest',
    '550e8400e29b41d4a716446655440000',
    '{550e8400-e29b-41d4-a716-446655440000}',
    '550e8400-e29b-41d4-a716-44665544000',
    '550e8400-e29b-41d4-a716-4466554400000',
    '550e8400-e29b-41d4-a716-44665544000\n',
    '550e8400-e29b-41d4-a716-446655440000\n',
    '550e8400-e29b-41d4-a716-44665544000g',
    '550e8400-e29b-41d4-a71644-6655440000',
    ' 50e8400-e29b-41d4-a716-446655440000',
  ])('refuses %j', (text) => {
    expect(isUuid(text)).toBe(false);
  });
});

describe('podcastGuid', () => {
  // PUB-2
  it.each([
    'mp3s.nashownotes.com/pc20rss.xml',
    'https://mp3s.nashownotes.com/pc20rss.xml',
    'http://mp3s.nashownotes.com/pc20rss.xml',
    'HTTPS://mp3s.nashownotes.com/pc20rss.xml/',
    'https://mp3s.nashownotes.com/pc20rss.xml///',
  ])('podcastGuid of %s is the GUID that the namespace gives as its example', (url) => {
    expect(podcastGuid(url)).toBe('917393e3-1b1e-5cef-ace4-edaa54e1f810');
  });

  it('gives different feeds different GUIDs', () => {
    const urls = [
      'a.example/feed',
      'a.example/Feed',
      'a.example//feed',
      'a.example/feed?x=1',
      'feed',
    ];
    expect(new Set(urls.map(podcastGuid)).size).toBe(urls.length);
    expect(podcastGuid(`https://a.example/feed${'/'.repeat(1_000_000)}`)).toBe(
      podcastGuid('a.example/feed'),
    );
  });
});
