import { afterEach, describe, expect, it, vi } from 'vitest';
import { findPlace, markMediaAddress } from './media-address.ts';

const id = '0197a3c4-5d21-7b8e-9f10-6a2b3c4d5e6f';
const base = `https://pods.example/media/${id}`;

describe('markMediaAddress', () => {
  it('puts the marker between the episode and the file', () => {
    expect(markMediaAddress(`${base}/a.mp3`, id, { marker: 'p' })).toBe(`${base}/p/a.mp3`);
    expect(markMediaAddress(`${base}/a.mp3`, id, { marker: 'l' })).toBe(`${base}/l/a.mp3`);
  });

  it('names the page around a frame', () => {
    expect(
      markMediaAddress(`${base}/a.mp3`, id, { marker: 'p', framedBy: 'blog.example:8080' }),
    ).toBe(`${base}/p/a.mp3?r=blog.example%3A8080`);
  });

  it.each([
    '',
    'https://elsewhere.example/audio/a.mp3',
    `https://pods.example/media/${id.replace('0', '1')}/a.mp3`,
    `${base}/p/a.mp3`,
    `${base}/a.mp3?x=1`,
  ])('leaves %j alone', (url) => {
    expect(markMediaAddress(url, id, { marker: 'p', framedBy: 'blog.example' })).toBe(url);
  });
});

describe('findPlace', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  const service = 'https://pods.example';
  const listenUrls = {
    service: `${service}/listen/show/first-light`,
    own: 'https://show.example/first-light',
  };

  it.each([
    ['service', `${service}/listen/show`, '', { marker: 'l' }],
    ['service', `${service}/listen/show/first-light`, '', { marker: 'l' }],
    ['service', `${service}/`, '', { marker: 'p' }],
    ['service', `${service}/app/episodes`, '', { marker: 'p' }],
    ['service', 'https://blog.example/listen/show', '', { marker: 'p' }],
    ['own', 'https://show.example/', '', { marker: 'l' }],
    ['own', 'https://show.example/first-light', '', { marker: 'l' }],
    ['own', 'https://show.example/listen?season=2', '', { marker: 'l' }],
    ['own', 'https://show.example/ep/0197a3c4', '', { marker: 'p' }],
    ['own', 'https://show.example/latest/show', '', { marker: 'p' }],
    ['own', `${service}/app`, '', { marker: 'p' }],
    ['own', 'https://blog.example/first-light', '', { marker: 'p' }],
    ['own', 'https://show.example/ep/1', 'https://blog.example/post', framedBy('blog.example')],
    ['own', 'https://show.example/ep/1', 'https://show.example/first-light', { marker: 'p' }],
    ['service', `${service}/ep/1`, 'https://blog.example/post', framedBy('blog.example')],
    ['service', `${service}/ep/1`, `${service}/app`, { marker: 'p' }],
    // The frame is the service's, the page around it the show's own.
    ['own', `${service}/ep/1`, 'https://show.example/first-light', { marker: 'p' }],
  ] as const)('a show at its %s address, played at %s framed by %j', (at, here, around, place) => {
    const self = {};
    vi.stubGlobal('window', Object.assign(self, { parent: around === '' ? self : {} }));
    vi.stubGlobal('location', new URL(here));
    vi.stubGlobal('document', { referrer: around });
    expect(findPlace([service, service], listenUrls[at])).toEqual(place);
  });
});

function framedBy(host: string) {
  return { marker: 'p', framedBy: host } as const;
}
