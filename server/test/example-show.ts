import { createHash } from 'node:crypto';
import { DomUtils, parseDocument } from 'htmlparser2';
import type {
  ImageRef,
  PageEpisode,
  PublicPodcast,
  RosterCredit,
} from '../src/domain/public/catalogue/index.ts';
import type { Page } from '../src/http/pages/page.ts';

export const hosts = { baseUrl: 'https://pods.example', embedUrl: 'https://play.example' };

export const picture: ImageRef = {
  id: '0197a3c4-7e31-7a90-b2c4-d5e6f7a8b9c0',
  contentType: 'image/png',
  width: 3000,
  height: 1500,
  color: '#336699',
};

export function aCredit(credit: Partial<RosterCredit> = {}): RosterCredit {
  return {
    name: 'Ana Berg',
    role: 'host',
    group: 'cast',
    linkUrl: null,
    bioStart: null,
    photo: null,
    ...credit,
  };
}

const feedFacts = {
  timezone: 'UTC',
  otherCategories: [],
  fundingUrl: null,
  fundingText: null,
  otherFunding: [],
  medium: 'podcast',
  complete: false,
  itunesBlock: false,
  feedLocked: false,
  enclosurePrefixes: [],
  confirmMove: false,
  aiTraining: 'allow' as const,
  redirectFeed: false,
};

export function aShow(show: Partial<PublicPodcast> = {}): PublicPodcast {
  return {
    ...feedFacts,
    id: '0197a3c4-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
    guid: 'a-guid',
    domain: null,
    slug: 'night-signals',
    status: 'active',
    statusBeforeSuspension: null,
    pausedAt: null,
    hostingType: 'hosted',
    title: 'Night Signals',
    subtitle: null,
    author: 'Ana Berg',
    description: 'What is heard at night.',
    language: 'en',
    category: 'Science',
    subcategory: null,
    explicit: false,
    showType: 'episodic',
    copyright: null,
    websiteUrl: null,
    ownerName: null,
    ownerEmail: 'private@example.com',
    brandColor: null,
    playerColor: null,
    playerTheme: 'light',
    aiContent: null,
    playerWaveform: true,
    showPoweredBy: true,
    newFeedUrl: null,
    artwork: null,
    headerImage: null,
    pageTheme: 'auto',
    pageSections: ['about', 'episodes', 'people'],
    pageText: null,
    releaseSchedule: null,
    listings: [],
    roster: [],
    createdAt: new Date('2026-01-01T00:00:00Z'),
    updatedAt: new Date('2026-01-01T00:00:00Z'),
    nextChangeAt: null,
    ...show,
  };
}

export function anEpisode(episode: Partial<PageEpisode> = {}): PageEpisode {
  return {
    id: '0197a3c4-5d21-7b8e-9f10-6a2b3c4d5e6f',
    slug: 'first-light',
    guid: 'another-guid',
    title: 'First light',
    subtitle: null,
    description: 'What the antenna heard before dawn.',
    showNotesHtml: null,
    season: null,
    seasonName: null,
    episodeNumber: 7,
    givenNumber: 7,
    aiContent: null,
    episodeDisplay: null,
    episodeType: 'full',
    explicit: false,
    publishedAt: new Date('2026-03-01T23:30:00Z'),
    updatedAt: new Date('2026-03-01T23:30:00Z'),
    linkUrl: null,
    audio: {
      fileName: 'first-light.mp3',
      contentType: 'audio/mpeg',
      sizeBytes: 29_344_512,
      durationMs: 1_834_000,
    },
    artwork: null,
    people: [],
    transcriptLanguage: null,
    transcriptHasTimes: true,
    hasChapters: false,
    elements: [],
    ...episode,
  };
}

/** A page as a browser reads it. */
export class ReadPage {
  readonly page: Page;
  readonly document: ReturnType<typeof parseDocument>;

  constructor(page: Page) {
    this.page = page;
    this.document = parseDocument(page.text);
  }

  all(name: string, attributes: Record<string, string> = {}): DomElement[] {
    const wanted = Object.entries(attributes);
    return DomUtils.getElementsByTagName(name, this.document, true).filter((element) =>
      wanted.every(([key, value]) => element.attribs[key] === value),
    );
  }

  attribute(name: string, attributes: Record<string, string>, key: string): string | undefined {
    return this.all(name, attributes)[0]?.attribs[key];
  }

  meta(property: string): string | undefined {
    return (
      this.attribute('meta', { property }, 'content') ??
      this.attribute('meta', { name: property }, 'content')
    );
  }

  text(name: string): string {
    return this.all(name)
      .map((element) => DomUtils.textContent(element))
      .join(' ')
      .replace(/\s+/g, ' ')
      .trim();
  }

  jsonLd(): Record<string, unknown> {
    const [block] = this.all('script', { type: 'application/ld+json' });
    return JSON.parse(block === undefined ? 'null' : DomUtils.textContent(block)) as never;
  }

  /** All elements with their attribute names, in order. No text may change these. */
  shape(): string[] {
    return this.all('*').map(({ name, attribs }) => `${name} ${Object.keys(attribs).join(' ')}`);
  }

  /** The hashes in the policy, and the hashes of the inline styles and scripts of the page. */
  hashes(): { allowed: string[]; present: string[] } {
    const policy = this.page.headers['Content-Security-Policy'] ?? '';
    const sources = [...this.all('style'), ...this.all('script')]
      .filter(({ attribs }) => !attribs['type']?.startsWith('application/') && !attribs['src'])
      .map((element) => createHash('sha256').update(DomUtils.textContent(element)));
    return {
      allowed: [...policy.matchAll(/'sha256-([^']+)'/g)].map(([, hash = '']) => hash),
      present: sources.map((hash) => hash.digest('base64')),
    };
  }
}

type DomElement = ReturnType<typeof DomUtils.getElementsByTagName>[number];
