import { isLanguageTag } from '../../../../lib/language-tag.ts';
import { artworkPx, feedDescriptionBytes } from '../../../../lib/limits.ts';
import { comfortableImageBytes } from '../../images/index.ts';
import type { Artwork } from '../../podcasts/index.ts';
import { sayHealth } from './health-sentences.ts';
import type { RuleSource, ShowRule } from './rule.ts';

const everyone: readonly RuleSource[] = ['apple', 'spotify', 'psp1'];
/** PSP-1, "Namespace Declarations": values of elements, unless it says otherwise. */
const maxValueChars = 255;

const sizeOf = ({ width, height }: Pick<Artwork, 'width' | 'height'>) => ({ width, height });

/** The rules for a show, the most important first. */
export const showRules: readonly ShowRule[] = [
  {
    rule: 'feed_is_public',
    sources: everyone,
    severity: 'error',
    title: 'The feed is public',
    whatToDo: 'Publish the show, or ask the operator of this service why it is suspended.',
    whatToDoAbout: {
      'feed_is_public.overage':
        'The suspension ends with the new month, or earlier if the owner gets a larger plan.',
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
    whatToDo: 'Resume the show, or end its move, if you want to publish new episodes here.',
    check({ show: { status } }) {
      if (status === 'paused') return sayHealth('feed_is_current.paused');
      return status === 'moved' ? sayHealth('feed_is_current.moved') : undefined;
    },
  },
  {
    rule: 'has_an_episode',
    sources: everyone,
    severity: 'error',
    title: 'The show has an episode with audio',
    whatToDo: 'Publish an episode or a trailer with audio before you submit the show.',
    check: ({ episodesInFeed }) => (episodesInFeed === 0 ? sayHealth('has_an_episode') : undefined),
  },
  {
    rule: 'artwork',
    sources: everyone,
    severity: 'error',
    title: 'The show has artwork',
    whatToDo: 'Upload a square JPEG or PNG, ideally 3000 × 3000 pixels.',
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
    title: 'The artwork is 1400 to 3000 pixels on each side',
    whatToDo: 'Upload a picture with 1400 to 3000 pixels on each side.',
    check({ artwork }) {
      if (artwork === null) return undefined;
      const { width, height } = artwork;
      if (Math.min(width, height) < artworkPx.min) {
        return sayHealth('artwork_size.small', sizeOf(artwork));
      }
      if (Math.max(width, height) <= artworkPx.max) return undefined;
      return sayHealth('artwork_size.large', sizeOf(artwork));
    },
  },
  {
    rule: 'artwork_bytes',
    sources: ['apple'],
    severity: 'advice',
    title: 'The artwork is a small file',
    whatToDo:
      'Upload it again: we compress it if there is no visible difference. Otherwise, save it as a JPEG smaller than 512 kB.',
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
    whatToDo: 'Enter only the show’s name.',
    check: ({ show: { title } }) =>
      title.length > maxValueChars
        ? sayHealth('title', { length: title.length, limit: maxValueChars })
        : undefined,
  },
  {
    rule: 'description',
    sources: everyone,
    severity: 'warning',
    title: 'The show has a description',
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
      Buffer.byteLength(description.trim()) > feedDescriptionBytes
        ? sayHealth('description_length', { limit: feedDescriptionBytes })
        : undefined,
  },
  {
    rule: 'category',
    sources: ['apple', 'psp1'],
    severity: 'error',
    title: 'The show has a category',
    whatToDo: "Choose the one of Apple's categories that fits best.",
    check: ({ show: { category } }) => (category === null ? sayHealth('category') : undefined),
  },
  {
    rule: 'category_known',
    sources: ['apple', 'psp1'],
    severity: 'error',
    title: "The categories are from Apple's list",
    whatToDo: "Choose from Apple's categories.",
    check: ({ categoryProblems: [first] }) => first,
  },
  {
    rule: 'language',
    sources: everyone,
    severity: 'error',
    title: 'The language is known',
    whatToDo: 'Choose the language spoken in the show.',
    check: ({ show: { language } }) =>
      !isLanguageTag(language) || language === 'und'
        ? sayHealth('language', { language })
        : undefined,
  },
  {
    rule: 'author',
    sources: ['apple', 'psp1'],
    severity: 'warning',
    title: 'The show has an author',
    whatToDo: 'Enter the person, group or company that makes the show.',
    check: ({ show: { author } }) => (author.trim() === '' ? sayHealth('author') : undefined),
  },
  {
    rule: 'owner_email',
    sources: ['spotify'],
    severity: 'warning',
    title: 'The feed has an email address for directories',
    whatToDo: 'Enter an email address for the feed’s owner. Everyone can see it in the feed.',
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
    rule: 'ai_content',
    sources: ['apple'],
    severity: 'advice',
    title: 'The show states whether it is made by AI',
    whatToDo: 'Choose an answer in its details. Apple asks shows to disclose AI content.',
    check: ({ show: { aiContent } }) => (aiContent === null ? sayHealth('ai_content') : undefined),
  },
  {
    rule: 'copyright',
    sources: ['psp1'],
    severity: 'advice',
    title: 'The copyright has only the owner’s name',
    whatToDo: 'Enter only the name, without the sign, the word or the year.',
    check: ({ show: { copyright } }) =>
      /©|\bcopyright\b/i.test(copyright ?? '') ? sayHealth('copyright') : undefined,
  },
  {
    rule: 'prefixes_work',
    sources: everyone,
    severity: 'error',
    title: 'The measurement services redirect to the audio',
    whatToDo: 'Correct the prefix as the service gives it, or remove it.',
    check: ({ prefixProblem: found }) =>
      found && sayHealth(`prefixes_work.${found.problem}`, { host: found.host }),
  },
  {
    rule: 'prefixes_known',
    sources: [],
    severity: 'advice',
    title: 'The measurement services are well known',
    whatToDo:
      'Compare the prefix with the service’s instructions. If it is right, leave it as it is.',
    check: ({ unknownPrefixes: [prefix] }) =>
      prefix === undefined ? undefined : sayHealth('prefixes_known', { prefix }),
  },
  {
    rule: 'https',
    sources: ['apple'],
    severity: 'warning',
    title: 'The feed and audio are served with HTTPS',
    whatToDo: 'The operator of this service has to set up HTTPS.',
    check: ({ isSecure }) => (isSecure ? undefined : sayHealth('https')),
  },
];
