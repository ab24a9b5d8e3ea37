import type { UtcDay } from '../../../../lib/utc-day.ts';
import { downloadsOf, type Listener, type Receipt, without } from '../receipts/receipt.ts';

/**
 * What counting stores beside the number of downloads. A new one needs a migration; a breakdown that is
 * computed from days does not belong here.
 */
export const countedDimensions = ['apps', 'countries', 'devices', 'sources', 'referrers'] as const;
export type Dimension = (typeof countedDimensions)[number];

/** Downloads by dimension and value. */
export type ValueCounts = Readonly<Record<Dimension, Map<string, number>>>;

/** By how much the figures of an episode on a day change. */
export interface EpisodeDifference {
  readonly podcastId: string;
  readonly day: UtcDay;
  readonly episodeId: string;
  downloads: number;
  readonly values: ValueCounts;
}

/** The same of a podcast. */
export interface DayDifference {
  readonly podcastId: string;
  readonly day: UtcDay;
  downloads: number;
  /** Listeners with at least one download. */
  listeners: number;
  readonly episodes: Map<string, EpisodeDifference>;
}

/** Numbers of downloads. */
export interface Change {
  before: number;
  after: number;
}

/** By how much sums change when receipts change. */
export class Differences {
  readonly #days = new Map<string, DayDifference>();
  #downloads = 0;
  #moves = 0;

  /** Each podcast and day once. */
  get days(): readonly DayDifference[] {
    return [...this.#days.values()];
  }

  /** How many downloads are added; negative: removed. */
  get downloads(): number {
    return this.#downloads;
  }

  /** Downloads that came or went. Memory grows with them. */
  get moves(): number {
    return this.#moves;
  }

  /**
   * All receipts of one listener for some episodes on a day: as they were, and as they are. Returns how
   * many downloads they were, and how many they are. Call `addListener` after all episodes.
   */
  addReceipts(before: readonly Receipt[], after: readonly Receipt[]): Change {
    const [old, present] = [downloadsOf(before), downloadsOf(after)];
    for (const download of without(old, present)) this.#count(download, -1);
    for (const download of without(present, old)) this.#count(download, 1);
    return { before: old.length, after: present.length };
  }

  /** The downloads of one listener of a podcast on a day. */
  addListener(listener: Listener, { before, after }: Change): void {
    const listeners = Number(after > 0) - Number(before > 0);
    if (listeners !== 0) this.#dayOf(listener).listeners += listeners;
  }

  #dayOf({ podcastId, day }: Listener): DayDifference {
    const key = `${podcastId} ${day}`;
    const known = this.#days.get(key);
    if (known !== undefined) return known;
    const made = { podcastId, day, downloads: 0, listeners: 0, episodes: new Map() };
    this.#days.set(key, made);
    return made;
  }

  #count(download: Receipt, sign: 1 | -1): void {
    const { episodeId, first } = download;
    const ofDay = this.#dayOf(download);
    this.#downloads += sign;
    this.#moves += 1;
    ofDay.downloads += sign;
    let episode = ofDay.episodes.get(episodeId);
    if (episode === undefined) {
      const { podcastId, day } = ofDay;
      episode = { podcastId, day, episodeId, downloads: 0, values: noValues() };
      ofDay.episodes.set(episodeId, episode);
    }
    episode.downloads += sign;
    const { apps, countries, devices, sources, referrers } = episode.values;
    increase(apps, first.app, sign);
    increase(countries, first.country, sign);
    increase(devices, first.device, sign);
    increase(sources, first.source, sign);
    if (first.referrer !== null) increase(referrers, first.referrer, sign);
  }
}

export function noValues(): ValueCounts {
  const [apps, countries, devices] = [new Map(), new Map(), new Map()];
  return { apps, countries, devices, sources: new Map(), referrers: new Map() };
}

/** Adds all counts. */
export function addValues(counts: ValueCounts, more: ValueCounts): void {
  for (const dimension of countedDimensions)
    for (const [value, n] of more[dimension]) increase(counts[dimension], value, n);
}

export function increase(counts: Map<string, number>, value: string, by: number): void {
  counts.set(value, (counts.get(value) ?? 0) + by);
}
