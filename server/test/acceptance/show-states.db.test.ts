import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attachTone } from '../../src/domain/publishing/audio/index.ts';
import { checkDomain, setDomain } from '../../src/domain/publishing/domains/index.ts';
import { deleteEpisode, unpublishEpisode } from '../../src/domain/publishing/episodes/index.ts';
import {
  movePodcast,
  pausePodcast,
  setPodcastStatus,
  suspendPodcast,
} from '../../src/domain/publishing/podcasts/index.ts';
import { deletePodcast } from '../../src/domain/service/shows/index.ts';
import { createTestApp, type TestApp } from '../create-test-app.ts';
import { type DnsServer, openDnsServer } from '../hosts/dns-server.ts';
import { makeEpisode, makePodcast } from '../make.ts';

// What every page and frame says in every state of a show (STATE-1, PAGE-4, PAGE-7).

let app: TestApp;
let names: DnsServer;
let count = 0;

beforeAll(async () => {
  names = await openDnsServer({});
  app = await createTestApp({ DNS_SERVERS: names.address, DOMAIN_TARGET: '127.0.0.1' });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await names[Symbol.asyncDispose]();
});

interface Urls {
  readonly show: string;
  readonly episode: string;
  readonly removed: string;
  readonly draft: string;
  readonly framedEpisode: string;
  readonly framedDraft: string;
  readonly framedLatest: string;
  readonly oembed: string;
}
type Place = keyof Urls;

/** A show with a public episode, one that was unpublished, and one that was never public. */
async function makeShow(at: 'service' | 'domain') {
  const { ctx } = app;
  count += 1;
  const [slug, title] = [`state-${count}`, 'أصوات الليل'];
  const show = await makePodcast(ctx, { slug, title, language: 'en' });
  const episode = await makeEpisode(ctx, show, { slug: 'first', title: 'First light' });
  await attachTone(ctx, episode.id, 2);
  const removed = await makeEpisode(ctx, show, { slug: 'removed', title: 'Regretted' });
  await unpublishEpisode(ctx, removed.id);
  const draft = await makeEpisode(ctx, show, {
    slug: 'draft',
    title: 'Unfinished',
    status: 'draft',
  });
  const host = `state-${count}.example`;
  if (at === 'domain') {
    const { token } = await setDomain(ctx, show.id, host);
    names.zone[host] = { a: ['127.0.0.1'] };
    names.zone[`_podstead.${host}`] = { txt: [token] };
    expect((await checkDomain(ctx, show.id)).state).toBe('verified');
    await expect.poll(() => app.http.domains.find(host)).toBe(show.id);
  }
  const pages = at === 'domain' ? '' : `/listen/${slug}`;
  const urls: Urls = {
    show: pages === '' ? '/' : pages,
    episode: `${pages}/first`,
    removed: `${pages}/removed`,
    draft: `${pages}/draft`,
    framedEpisode: `/ep/${episode.id}`,
    framedDraft: `/ep/${draft.id}`,
    framedLatest: `/latest/${slug}`,
    oembed: `/v1/oembed?url=${encodeURIComponent(`http://test.local/listen/${slug}`)}`,
  };
  const ask = (url: string) =>
    app.request({ url, headers: at === 'domain' && !url.startsWith('/v1') ? { host } : {} });
  return { show, urls, ask };
}

type Show = Awaited<ReturnType<typeof makeShow>>['show'];

/** Page not found; the same for what is hidden and what never was. */
const none = [404, 'Page not found'] as const;
const noPlayer = [404, 'Nothing to play here'] as const;
const paused = [404, '<bdi>أصوات الليل</bdi> is taking a break'] as const;
const withheld = [403, '<bdi>أصوات الليل</bdi> is not available right now'] as const;
const missing = [404, 'Latest episode'] as const;

const states: readonly {
  readonly state: string;
  readonly bring: (show: Show) => Promise<unknown>;
  readonly expected: Readonly<Record<Place, readonly [status: number, says: string]>>;
}[] = [
  {
    state: 'draft',
    bring: (show) => setPodcastStatus(app.ctx, show.id, 'draft'),
    expected: {
      ...{ show: none, episode: none, removed: none, draft: none },
      ...{ framedEpisode: noPlayer, framedDraft: noPlayer, framedLatest: noPlayer },
      oembed: [404, 'not_found'],
    },
  },
  {
    state: 'active',
    bring: async () => undefined,
    expected: {
      ...{ show: [200, 'First light'], episode: [200, 'First light'] },
      ...{ removed: missing, draft: missing },
      ...{ framedEpisode: [200, 'First light'], framedDraft: noPlayer },
      ...{ framedLatest: [200, 'First light'], oembed: [200, '<iframe'] },
    },
  },
  {
    state: 'paused',
    bring: (show) => pausePodcast(app.ctx, show.id),
    expected: {
      ...{ show: paused, episode: paused, removed: none, draft: none },
      ...{ framedEpisode: paused, framedDraft: noPlayer, framedLatest: paused },
      oembed: [404, 'not_found'],
    },
  },
  {
    state: 'suspended',
    bring: (show) => suspendPodcast(app.ctx, show.id),
    expected: {
      ...{ show: withheld, episode: withheld, removed: none, draft: none },
      ...{ framedEpisode: withheld, framedDraft: noPlayer, framedLatest: withheld },
      oembed: [404, 'not_found'],
    },
  },
  {
    state: 'suspended after a pause',
    bring: async (show) => {
      await pausePodcast(app.ctx, show.id);
      await suspendPodcast(app.ctx, show.id);
    },
    expected: {
      ...{ show: none, episode: none, removed: none, draft: none },
      ...{ framedEpisode: noPlayer, framedDraft: noPlayer, framedLatest: noPlayer },
      oembed: [404, 'not_found'],
    },
  },
  {
    state: 'moved',
    bring: (show) => movePodcast(app.ctx, show.id, { newFeedUrl: 'https://new.example/rss' }),
    expected: {
      ...{ show: [200, '>new.example</a>'], episode: [200, 'This show has moved'] },
      ...{ removed: missing, draft: missing },
      ...{ framedEpisode: [200, 'First light'], framedDraft: noPlayer },
      ...{ framedLatest: [200, 'First light'], oembed: [200, '<iframe'] },
    },
  },
  {
    state: 'deleted',
    bring: (show) => deletePodcast(app.ctx, show.id),
    expected: {
      ...{ show: none, episode: none, removed: none, draft: none },
      ...{ framedEpisode: noPlayer, framedDraft: noPlayer, framedLatest: noPlayer },
      oembed: [404, 'not_found'],
    },
  },
];

/** Nothing of a response that differs between two requests. */
const withoutId = (body: string) => body.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID');

describe('pages and frames of a show', () => {
  // PAGE-7, STATE-1, STATE-6
  it.each(states)('each says what it may at BASE_URL if the show is $state', async (given) => {
    const { bring, expected } = given;
    const { show, urls, ask } = await makeShow('service');
    await bring(show);
    for (const place of Object.keys(expected) as Place[]) {
      const [status, says] = expected[place];
      const { statusCode, body, headers } = await ask(urls[place]);
      expect(statusCode, place).toBe(status);
      expect(body, place).toContain(says);
      if (place === 'oembed') continue;
      expect(body.includes('content="noindex"'), place).toBe(
        status !== 200 || place.startsWith('framed'),
      );
      expect(headers['cache-control'], place).toBe(
        status === 200 ? 'public, max-age=60' : 'no-store',
      );
      const isFramed = place.startsWith('framed');
      expect(!headers['content-security-policy']?.includes('frame-ancestors'), place).toBe(
        isFramed,
      );
      expect(body, place).not.toMatch(/Regretted|Unfinished/);
    }
  });

  // DOMAIN-7, STATE-1
  it.each(states)('each says the same at an own domain if the show is $state', async (given) => {
    const { bring, expected } = given;
    const { show, urls, ask } = await makeShow('domain');
    await bring(show);
    for (const place of Object.keys(expected) as Place[]) {
      const [status, says] = expected[place];
      const { statusCode, body } = await ask(urls[place]);
      expect(statusCode, place).toBe(status);
      expect(body, place).toContain(says);
      expect(body, place).not.toMatch(/Regretted|Unfinished/);
    }
  });

  const hidden = states.filter(({ expected }) => expected.show === none);
  // STATE-1
  it.each(hidden)(
    'each is the same as that of no show if the show is hidden: $state',
    async ({ bring }) => {
      const { show, urls, ask } = await makeShow('service');
      await bring(show);
      const unknown: Partial<Record<Place, string>> = {
        show: '/listen/unknown',
        episode: '/listen/unknown/first',
        removed: '/listen/unknown/removed',
        framedEpisode: '/ep/00000000-0000-7000-8000-000000000000',
        framedDraft: '/ep/00000000-0000-7000-8000-000000000000',
        framedLatest: '/latest/unknown',
      };
      for (const [place, url] of Object.entries(unknown) as [Place, string][]) {
        const [own, other] = [await ask(urls[place]), await ask(url)];
        expect(withoutId(own.body), place).toBe(withoutId(other.body));
      }
    },
  );
});

describe('an episode that is gone', () => {
  // STATE-6
  it('an episode that is gone leads to its show and the newest episode, which changes with it', async () => {
    const { show, urls, ask } = await makeShow('service');
    expect((await ask(urls.removed)).body).toContain(`${urls.episode}"`);
    const next = await makeEpisode(app.ctx, show, {
      slug: 'second',
      title: 'Second light',
      publishedAt: app.clock.now(),
    });
    await attachTone(app.ctx, next.id, 2);
    expect((await ask(urls.removed)).body).toContain('Second light');
    await deleteEpisode(app.ctx, next.id);
    const { body } = await ask(`/listen/${show.slug}/second`);
    expect(body).not.toContain('Second light');
    expect(body).toContain(`${urls.episode}"`);
  });

  it('a show without episodes has a page, and its missing episodes have no newest one', async () => {
    const empty = await makePodcast(app.ctx, { title: 'Silence' });
    const { body, statusCode } = await app.request({ url: `/listen/${empty.slug}/first` });
    expect(statusCode).toBe(404);
    expect(body).toContain('All episodes');
    expect(body).not.toContain('Latest episode');
    expect((await app.request({ url: `/listen/${empty.slug}` })).body).toContain('No episodes yet');
  });
});
