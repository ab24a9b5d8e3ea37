import { isFractionalNumber } from '../../../../lib/fractional-number.ts';
import { createYielder } from '../../../../lib/time-slices.ts';
import type { FeedLevel } from '../../../publishing/podcasts/index.ts';
import {
  ChaptersError,
  describeLeftOut,
  type LeftOut,
} from '../../../publishing/transcripts/index.ts';
import { groupTranscripts } from '../plan/group-transcripts.ts';
import { completeInlineChapters } from '../plan/item-draft.ts';
import { mapCredit } from '../plan/map-credit.ts';
import { tryPublicAddress } from '../plan/podcast-fields.ts';
import type { ParsedPerson, ParsedPodcast } from '../read/feed/parsed-feed.ts';
import { type ReadItem, refOf } from '../read/item-texts.ts';
import type { ReportDraft } from './report-draft.ts';

/** A feed has far fewer different ones, unless it is hostile: then some are looked at again. */
const mostKnownLinks = 10_000;
/** Of unknown roles, and of all names that have them. */
const mostRoles = 1_000;
const mostNames = 20_000;

/** Reports on all items of a feed together, which are read one after the other. */
export class ItemsReport {
  readonly #report: ReportDraft;
  readonly #showLanguage: string;
  readonly #namesOfShow: ReadonlySet<string>;
  readonly #unread = new Map<string, { element: string; level: FeedLevel; count: number }>();
  /** Whether the URL can be published: a feed repeats the links of its people with each item. */
  readonly #links = new Map<string, boolean>();
  readonly #roles = new Map<string, Set<string>>();
  readonly #maybeYield = createYielder();
  #names = 0;
  #seasons = 0;
  #displays = 0;

  constructor(report: ReportDraft, show: ParsedPodcast) {
    this.#report = report;
    this.#showLanguage = show.language ?? '';
    this.#namesOfShow = namesIn([show.author, show.ownerName, ...show.people.map(nameOf)]);
  }

  async addShow(show: ParsedPodcast): Promise<void> {
    this.#checkLink('channel', 'link', show.websiteUrl);
    for (const { url } of show.funding) this.#checkLink('channel', 'podcast:funding', url);
    await this.#addPeople('channel', show.people);
  }

  async add(item: ReadItem): Promise<void> {
    // An import takes a limited number of languages for each episode.
    const { leftOut } = groupTranscripts(item.transcripts, this.#showLanguage);
    this.#leaveUnread('item', 'podcast:transcript (further languages)', leftOut);
    this.#checkLink('item', 'link', item.link);
    await this.#addPeople('item', item.people);
    this.#addAuthors(item);
    this.#countNames(item);
    this.#reportInlineChapters(item);
  }

  finish(): void {
    for (const element of this.#unread.values()) this.#report.leaveUnread(element);
    this.#reportRoles();
    this.#reportNamesWithoutNumber();
  }

  #leaveUnread(level: FeedLevel, element: string, count: number): void {
    if (count === 0) return;
    const key = `${level} ${element}`;
    const before = this.#unread.get(key)?.count ?? 0;
    this.#unread.set(key, { element, level, count: before + count });
  }

  /** Links must not be published if they are too long or carry a credential. */
  #checkLink(level: FeedLevel, element: string, url: string | undefined): void {
    if (url === undefined) return;
    const isUsable = this.#links.get(url) ?? tryPublicAddress(url) !== undefined;
    if (this.#links.size >= mostKnownLinks) this.#links.clear();
    this.#links.set(url, isUsable);
    if (!isUsable) this.#leaveUnread(level, element, 1);
  }

  async #addPeople(level: FeedLevel, people: readonly ParsedPerson[]): Promise<void> {
    for (const person of people) {
      await this.#maybeYield();
      this.#checkLink(level, 'podcast:person@href', person.href);
      if (mapCredit(person).isUnknown) this.#addRole(person);
    }
  }

  #addRole({ role, group, name }: ParsedPerson): void {
    const credit = `${role} (${group})`;
    const names = this.#roles.get(credit) ?? new Set();
    if (names.has(name) || this.#names >= mostNames) return;
    if (names.size === 0 && this.#roles.size >= mostRoles) return;
    this.#names += 1;
    this.#roles.set(credit, names.add(name));
  }

  /** Authors of items have no place beside the people of an episode and the author of the show. */
  #addAuthors({ authors, people }: ReadItem): void {
    if (authors.length === 0) return;
    const known = namesIn(people.map(nameOf));
    for (const { element, name } of authors) {
      const key = name.toLowerCase();
      if (!this.#namesOfShow.has(key) && !known.has(key)) this.#leaveUnread('item', element, 1);
    }
  }

  /** Our feed writes the name of a season, or the display of an episode, only beside its number. */
  #countNames({ season, seasonName, episode, episodeDisplay: display }: ReadItem): void {
    if (season === undefined && seasonName) this.#seasons += 1;
    const isText = display !== undefined && !isFractionalNumber(display);
    if (episode === undefined && isText) this.#displays += 1;
  }

  #reportNamesWithoutNumber(): void {
    if (this.#seasons > 0) {
      const message = `${this.#seasons} items have a season name without a number. The name is stored, but appears in the feed only once the episode has a season.`;
      this.#report.warn({ reason: 'season_without_number', message });
    }
    if (this.#displays > 0) {
      const message = `${this.#displays} items display text instead of an episode number. The text is stored, but appears in the feed only once the episode has a number.`;
      this.#report.warn({ reason: 'display_without_number', message });
    }
  }

  /** Chapters inside the feed; those in files are read when an import fetches them. */
  #reportInlineChapters(item: ReadItem): void {
    if (item.inlineChapters.length === 0) return;
    const leftOut = findLeftOut(item);
    if (leftOut.count === 0) return;
    const message = `Its chapters are not complete: ${describeLeftOut(leftOut)}`;
    this.#report.warn({ reason: 'parts_left_out', message }, refOf(item));
  }

  /** Each role once, however many people have it. */
  #reportRoles(): void {
    for (const [credit, who] of this.#roles) {
      const [name = ''] = who;
      const others = who.size > 1 ? ` and ${who.size - 1} more` : '';
      const message =
        `The role ${JSON.stringify(credit)} of ${name}${others} is not in the Podcasting 2.0 ` +
        'taxonomy. They are credited as host, in the group cast.';
      this.#report.warn({ reason: 'unknown_role', message });
    }
  }
}

function findLeftOut(item: ReadItem): LeftOut {
  try {
    return completeInlineChapters(item).leftOut;
  } catch (error) {
    if (!(error instanceof ChaptersError)) throw error;
    return { count: item.inlineChapters.length, examples: [] };
  }
}

const nameOf = ({ name }: ParsedPerson): string => name;

function namesIn(names: readonly (string | undefined)[]): ReadonlySet<string> {
  return new Set(names.map((name) => (name ?? '').toLowerCase()));
}
