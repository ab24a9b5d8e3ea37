import type { Given } from './api/wire.ts';
import { tryParseTime } from './text/time.ts';

export const attributes = [
  'episode',
  'podcast',
  'playlist',
  'season',
  'theme',
  'color',
  'layout',
  'start',
  'src',
] as const;
export type Attribute = (typeof attributes)[number];

export interface Options {
  /** UUID, or a slug together with `podcast`. */
  readonly episode: string | null;
  /** Slug or UUID. */
  readonly podcast: string | null;
  /** Visible rows of the playlist; 0 for no playlist. */
  readonly playlistRows: number;
  readonly season: string | null;
  readonly theme: 'light' | 'dark' | 'auto' | null;
  /** `#rrggbb` */
  readonly color: string | null;
  readonly layout: 'full' | 'compact';
  readonly startSeconds: number | undefined;
  /** Instead of what the API has. */
  readonly given?: Given;
  /** Origin of the API. */
  readonly service: string;
}

const defaultRows = 4;
const maxRows = 20;

/** Reads the attributes; invalid values count as missing. */
export function readOptions(read: (name: Attribute) => string | null, service: string): Options {
  const theme = read('theme');
  const rows = read('playlist');
  return {
    episode: read('episode') || null,
    podcast: read('podcast') || null,
    playlistRows: rows === null ? 0 : Math.min(maxRows, Number(/^\d+$/.exec(rows)) || defaultRows),
    season: /^\d{1,4}$/.test(read('season') ?? '') ? read('season') : null,
    theme: theme === 'light' || theme === 'dark' || theme === 'auto' ? theme : null,
    color: tryReadColor(read('color')),
    layout: read('layout') === 'compact' ? 'compact' : 'full',
    startSeconds: tryParseTime(read('start')),
    service: tryParseUrl(read('src') ?? '')?.origin ?? service,
  };
}

/** Undefined unless the text is an absolute URL with an origin; `localhost:3000` has none. */
export function tryParseUrl(text: string): URL | undefined {
  try {
    return /^http/i.test(text) ? new URL(text) : undefined;
  } catch {
    return undefined;
  }
}

/** `#rgb` and `#rrggbb`; the `#` is optional. */
function tryReadColor(text: string | null): string | null {
  const [, digits = ''] = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text ?? '') ?? [];
  if (!digits) return null;
  return `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`;
}
