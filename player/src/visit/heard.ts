import { recall } from '../playback/stored-playback.ts';
import { readStored, store } from './queue.ts';

/** What was listened to of a show on this device. */
export interface Heard {
  /** The id of the episode that was played last. */
  readonly last: string;
  /** The ids of finished episodes, the most recent last. */
  readonly finished: readonly string[];
}

const key = 'podstead-heard';
const mostShows = 50;
const mostEpisodes = 300;

/** Other tabs and later releases write there, too. Undefined: nothing was played. */
export function readHeard(podcast: string): Heard | undefined {
  const { last, finished } = (readAll()[podcast] ?? {}) as Partial<Heard>;
  if (typeof last !== 'string') return undefined;
  return { last, finished: Array.isArray(finished) ? finished : [] };
}

export function noteBegun(podcast: string, id: string): void {
  write(podcast, { last: id, finished: readHeard(podcast)?.finished ?? [] });
}

export function noteFinished(podcast: string, id: string): void {
  const others = (readHeard(podcast)?.finished ?? []).filter((each) => each !== id);
  write(podcast, { last: id, finished: [...others, id].slice(-mostEpisodes) });
}

/** Whether nothing of it is left to hear, unless it was begun again. */
export function isFinished({ finished }: Heard, id: string): boolean {
  return finished.includes(id) && !Object.hasOwn(recall().at ?? {}, id);
}

function write(podcast: string, heard: Heard): void {
  const others = Object.entries(readAll()).filter(([id]) => id !== podcast);
  const entries = [...others, [podcast, heard] as const].slice(-mostShows);
  store('localStorage', key, Object.fromEntries(entries));
}

const readAll = () => (readStored('localStorage', key) ?? {}) as Record<string, object | null>;
