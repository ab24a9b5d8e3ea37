import { isLanguageTag } from '../../../../lib/language-tag.ts';
import { comfortableImageBytes } from '../../images/index.ts';
import type { Artwork } from '../../podcasts/index.ts';
import { sayHealth } from './health-sentences.ts';
import type { RuleSource, ShowRule } from './rule.ts';

const everyone: readonly RuleSource[] = ['apple', 'spotify', 'psp1'];
const minArtworkPx = 1400;
const maxArtworkPx = 3000;
/** PSP-1, "Namespace Declarations": values of elements, unless it says otherwise. */
const maxValueChars = 255;
/** Apple and PSP-1; the feed cuts longer ones. */
const maxDescriptionBytes = 4_000;

const sizeOf = ({ width, height }: Pick<Artwork, 'width' | 'height'>) => ({ width, height });

/** The rules for a show, the most important first. */
export const showRules: readonly ShowRule[] = [
  {
    rule: 'feed_is_public',
    sources: everyone,
    severity: 'error',
    title: 'The feed can be read',
    whatToDo: 'Publish the show, or ask the operator of this service why it is suspended.',
    whatToDoAbout: {
      'feed_is_public.overage':
        'This ends with the new month, or earlier with a larger plan of the owner.',
    },
    check({ show: { status, suspendedFor } }) {
      if (status === 'draft') return sayHealth('feed_is_public.draft');
      if (status !== 'overage_suspended') return undefined;
      return sayHealth(`feed_is_public.${suspendedFor === 'overage' ? 'overage' : 'suspended'}`);
    },
  },
  {
    rule: 'feed_is_current',
    sources: everyone,
    severity: 'warning',
    title: 'The feed shows new episodes',
    whatToDo: 'Resume the show, or end its move, if new episodes should come out here.',
    check({ show: { status } }) {
      if (status === 'paused') return sayHealth('feed_is_current.paused');
      return status === 'moved' ? sayHealth('feed_is_current.moved') : undefined;
    },
  },
  {
    rule: 'has_an_episode',
    sources: everyone,
    severity: 'error',
    title: 'There is an episode with audio',
    whatToDo: 'Publish an episode or a trailer with audio before you submit the show.',
    check: ({ episodesInFeed }) => (episodesInFeed === 0 ? sayHealth('has_an_episode') : undefined),
  },
  {
    rule: 'artwork',
    sources: everyone,
    severity: 'error',
    title: 'There is artwork',
    whatToDo: 'Upload a square JPEG or PNG, at best 3000 × 3000 pixels.',
    check: ({ artwork }) => (artwork === null ? sayHealth('artwork') : undefined),
  },
  {
    rule: 'artwork_square',
    sources: everyone,
    severity: 'error',
    title: 'The artwork is square',
    whatToDo: 'Upload a square picture.',
    check({ artwork }) {
      if (artwork === null || artwork.width === artwork.height) return undefined;
      return sayHealth('artwork_square', sizeOf(artwork));
    },
  },
  {
    rule: 'artwork_size',
    sources: ['apple', 'psp1'],
    severity: 'error',
    title: 'The artwork has 1400 to 3000 pixels a side',
    whatToDo: 'Upload a picture of 1400 to 3000 pixels a side.',
    check({ artwork }) {
      if (artwork === null) return undefined;
      const { width, height } = artwork;
      if (Math.min(width, height) < minArtworkPx) {
        return sayHealth('artwork_size.small', sizeOf(artwork));
      }
      if (Math.max(width, height) <= maxArtworkPx) return undefined;
      return sayHealth('artwork_size.large', sizeOf(artwork));
    },
  },
  {
    rule: 'artwork_bytes',
    sources: ['apple'],
    severity: 'advice',
    title: 'The artwork is a small file',
    whatToDo:
      'Upload it again: it is compressed if that cannot be seen. Otherwise, save it as a JPEG of less than 512 kB.',
    check: ({ artworkBytes: bytes }) =>
      bytes > comfortableImageBytes
        ? sayHealth('artwork_bytes', {
            size: Math.round(bytes / 1000),
            limit: comfortableImageBytes / 1000,
          })
        : undefined,
  },
  {
    rule: 'title',
    sources: ['apple', 'psp1'],
    severity: 'warning',
    title: 'The title is short enough',
    whatToDo: 'Give the name of the show and nothing else.',
    check: ({ show: { title } }) =>
      title.length > maxValueChars
        ? sayHealth('title', { length: title.length, limit: maxValueChars })
        : undefined,
  },
  {
    rule: 'description',
    sources: everyone,
    severity: 'warning',
    title: 'The show is described',
    whatToDo: 'Describe in a few sentences what the show is about, and for whom.',
    check: ({ show: { description, title } }) =>
      ['', title.trim()].includes(description.trim()) ? sayHealth('description') : undefined,
  },
  {
    rule: 'description_length',
    sources: ['apple', 'psp1'],
    severity: 'warning',
    title: 'The description fits into the feed',
    whatToDo: 'Shorten the description.',
    check: ({ show: { description } }) =>
      Buffer.byteLength(description.trim()) > maxDescriptionBytes
        ? sayHealth('description_length', { limit: maxDescriptionBytes })
        : undefined,
  },
  {
    rule: 'category',
    sources: ['apple', 'psp1'],
    severity: 'error',
    title: 'There is a category',
    whatToDo: "Choose the one of Apple's categories that fits best.",
    check: ({ show: { category } }) => (category === null ? sayHealth('category') : undefined),
  },
  {
    rule: 'category_known',
    sources: ['apple', 'psp1'],
    severity: 'error',
    title: "The categories are Apple's",
    whatToDo: "Choose from Apple's categories.",
    check: ({ categoryProblems: [first] }) => first,
  },
  {
    rule: 'language',
    sources: everyone,
    severity: 'error',
    title: 'The language is known',
    whatToDo: 'Choose the language that is spoken in the show.',
    check: ({ show: { language } }) =>
      !isLanguageTag(language) || language === 'und'
        ? sayHealth('language', { language })
        : undefined,
  },
  {
    rule: 'author',
    sources: ['apple', 'psp1'],
    severity: 'warning',
    title: 'The author is named',
    whatToDo: 'Name the person, group or company that makes the show.',
    check: ({ show: { author } }) => (author.trim() === '' ? sayHealth('author') : undefined),
  },
  {
    rule: 'owner_email',
    sources: ['spotify'],
    severity: 'warning',
    title: 'The feed has an address for directories',
    whatToDo: 'Give an email address for the owner of the feed. Everybody can read it there.',
    check: ({ show: { ownerEmail } }) =>
      ownerEmail === null ? sayHealth('owner_email') : undefined,
  },
  {
    rule: 'not_hidden',
    sources: ['apple'],
    severity: 'warning',
    title: 'Apple Podcasts may list the show',
    whatToDo: 'Allow Apple Podcasts to list the show.',
    check: ({ show: { itunesBlock } }) => (itunesBlock ? sayHealth('not_hidden') : undefined),
  },
  {
    rule: 'copyright',
    sources: ['psp1'],
    severity: 'advice',
    title: 'The copyright names only its holder',
    whatToDo: 'Give the name alone: without the sign, the word and the year.',
    check: ({ show: { copyright } }) =>
      /©|\bcopyright\b/i.test(copyright ?? '') ? sayHealth('copyright') : undefined,
  },
  {
    rule: 'https',
    sources: ['apple'],
    severity: 'warning',
    title: 'Feed and audio are served with HTTPS',
    whatToDo: 'The operator of this service has to set up HTTPS.',
    check: ({ isSecure }) => (isSecure ? undefined : sayHealth('https')),
  },
];
