import { isLanguageTag } from '../../../lib/language-tag.ts';
import type { HealthFacts } from './health-facts.ts';
import type { RuleSource, ShowRule } from './rule.ts';

const everyone: readonly RuleSource[] = ['apple', 'spotify', 'psp1'];
const minArtworkPx = 1400;
const maxArtworkPx = 3000;
/** PSP-1, "Namespace Declarations": values of elements, unless it says otherwise. */
const maxValueChars = 255;
/** Apple and PSP-1; the feed cuts longer ones. */
const maxDescriptionBytes = 4_000;

const when = (isBroken: boolean, message: string) => (isBroken ? message : undefined);

function sizeOf({ artwork }: HealthFacts): string {
  return artwork === null ? '' : `${artwork.width} × ${artwork.height} pixels`;
}

/** The rules for a show, the most important first. */
export const showRules: readonly ShowRule[] = [
  {
    rule: 'feed_is_public',
    sources: everyone,
    severity: 'error',
    title: 'The feed can be read',
    whatToDo: 'Publish the show, or ask the operator of this service why it is suspended.',
    check: ({ show: { status } }) =>
      when(
        status === 'draft' || status === 'overage_suspended',
        status === 'draft'
          ? 'The show is a draft, so its feed cannot be read yet.'
          : 'The show is suspended, so its audio cannot be played.',
      ),
  },
  {
    rule: 'feed_is_current',
    sources: everyone,
    severity: 'warning',
    title: 'The feed shows new episodes',
    whatToDo: 'Resume the show, or end its move, if new episodes should come out here.',
    check({ show: { status } }) {
      if (status === 'paused') return 'The show is paused: its feed has nothing new.';
      return when(status === 'moved', 'The show has moved: apps read the other feed.');
    },
  },
  {
    rule: 'has_an_episode',
    sources: everyone,
    severity: 'error',
    title: 'There is an episode with audio',
    whatToDo: 'Publish an episode or a trailer with audio before you submit the show.',
    check: ({ episodesInFeed }) =>
      when(episodesInFeed === 0, 'The feed has no episode. Directories refuse an empty feed.'),
  },
  {
    rule: 'artwork',
    sources: everyone,
    severity: 'error',
    title: 'There is artwork',
    whatToDo: 'Upload a square JPEG or PNG, at best 3000 × 3000 pixels.',
    check: ({ artwork }) => when(artwork === null, 'The show has no artwork.'),
  },
  {
    rule: 'artwork_square',
    sources: everyone,
    severity: 'error',
    title: 'The artwork is square',
    whatToDo: 'Upload a square picture.',
    check: (facts) =>
      when(
        facts.artwork !== null && facts.artwork.width !== facts.artwork.height,
        `The artwork is not square (${sizeOf(facts)}).`,
      ),
  },
  {
    rule: 'artwork_size',
    sources: ['apple', 'psp1'],
    severity: 'error',
    title: 'The artwork has 1400 to 3000 pixels a side',
    whatToDo: 'Upload a picture of 1400 to 3000 pixels a side.',
    check(facts) {
      const { width = minArtworkPx, height = minArtworkPx } = facts.artwork ?? {};
      const isSmall = Math.min(width, height) < minArtworkPx;
      const isLarge = Math.max(width, height) > maxArtworkPx;
      return when(
        isSmall || isLarge,
        `The artwork is too ${isSmall ? 'small' : 'large'} (${sizeOf(facts)}).`,
      );
    },
  },
  {
    rule: 'title',
    sources: ['apple', 'psp1'],
    severity: 'warning',
    title: 'The title is short enough',
    whatToDo: 'Give the name of the show and nothing else.',
    check: ({ show: { title } }) =>
      when(
        title.length > maxValueChars,
        `The title has ${title.length} characters; the standard allows ${maxValueChars}.`,
      ),
  },
  {
    rule: 'description',
    sources: everyone,
    severity: 'warning',
    title: 'The show is described',
    whatToDo: 'Say in some sentences what the show is about, and for whom.',
    check: ({ show: { description, title } }) =>
      when(
        ['', title.trim()].includes(description.trim()),
        'The show has no description of its own.',
      ),
  },
  {
    rule: 'description_length',
    sources: ['apple', 'psp1'],
    severity: 'warning',
    title: 'The description fits into the feed',
    whatToDo: 'Shorten the description.',
    check: ({ show: { description } }) =>
      when(
        Buffer.byteLength(description.trim()) > maxDescriptionBytes,
        'The description has more than 4,000 bytes: the feed has only its beginning.',
      ),
  },
  {
    rule: 'category',
    sources: ['apple', 'psp1'],
    severity: 'error',
    title: 'There is a category',
    whatToDo: "Choose the one of Apple's categories that fits best.",
    check: ({ show: { category } }) => when(category === null, 'The show has no category.'),
  },
  {
    rule: 'category_known',
    sources: ['apple', 'psp1'],
    severity: 'error',
    title: "The categories are Apple's",
    whatToDo: "Choose from Apple's categories.",
    check: ({ categoryProblems: [first] }) => first?.message,
  },
  {
    rule: 'language',
    sources: everyone,
    severity: 'error',
    title: 'The language is known',
    whatToDo: 'Choose the language that is spoken in the show.',
    check: ({ show: { language } }) =>
      when(!isLanguageTag(language) || language === 'und', `There is no language ${language}.`),
  },
  {
    rule: 'author',
    sources: ['apple', 'psp1'],
    severity: 'warning',
    title: 'The author is named',
    whatToDo: 'Name the person, group or company that makes the show.',
    check: ({ show: { author } }) => when(author.trim() === '', 'The show names no author.'),
  },
  {
    rule: 'owner_email',
    sources: ['spotify'],
    severity: 'warning',
    title: 'The feed has an address for directories',
    whatToDo: 'Give an email address for the owner of the feed. Everybody can read it there.',
    check: ({ show: { ownerEmail } }) =>
      when(
        ownerEmail === null,
        'The feed has no email address. Spotify and others send a code there to prove ownership.',
      ),
  },
  {
    rule: 'not_hidden',
    sources: ['apple'],
    severity: 'warning',
    title: 'Apple Podcasts may list the show',
    whatToDo: 'Allow Apple Podcasts to list the show.',
    check: ({ show: { itunesBlock } }) =>
      when(itunesBlock, 'The feed asks Apple Podcasts not to list the show.'),
  },
  {
    rule: 'copyright',
    sources: ['psp1'],
    severity: 'advice',
    title: 'The copyright names only its holder',
    whatToDo: 'Give the name alone: without the sign, the word and the year.',
    check: ({ show: { copyright } }) =>
      when(
        /©|\bcopyright\b/i.test(copyright ?? ''),
        'The copyright should not contain the sign © or the word "copyright".',
      ),
  },
  {
    rule: 'https',
    sources: ['apple'],
    severity: 'warning',
    title: 'Feed and audio are served with HTTPS',
    whatToDo: 'The operator of this service has to set up HTTPS.',
    check: ({ isSecure }) => when(!isSecure, 'Feed and audio are served without HTTPS.'),
  },
];
