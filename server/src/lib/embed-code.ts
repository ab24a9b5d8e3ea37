import { escapeHtml } from './escape.ts';

/** What a player on another site shows. */
export interface EmbedSubject {
  /** The attribute of the component that names it. */
  readonly name: 'episode' | 'podcast';
  readonly id: string;
  /** The page for frames. */
  readonly frameUrl: string;
  /** Of the frame, for screen readers. */
  readonly title: string;
  readonly scriptUrl: string;
}

/** How it looks; empty: as the show's settings say. */
export interface EmbedLook {
  readonly layout: 'full' | 'compact';
  readonly theme: '' | 'light' | 'dark' | 'auto';
  /** `#rrggbb`. */
  readonly color: string;
  /** `90`, `1:30` or `1:02:03`. */
  readonly start: string;
  readonly hasPlaylist: boolean;
}

export const plainLook: EmbedLook = {
  layout: 'full',
  theme: '',
  color: '',
  start: '',
  hasPlaylist: false,
};

const visibleRows = 5;
const heights = { full: 180, compact: 120 };
/** Above the list, and of each row. */
const [listPx, rowPx] = [12, 44];

/** In pixels. */
export function embedHeight({ layout, hasPlaylist }: EmbedLook): number {
  return heights[layout] + (hasPlaylist ? listPx + visibleRows * rowPx : 0);
}

/** Whether a player can start there. */
export const isStart = (text: string): boolean => /^\d+(?::[0-5]?\d){0,2}$/.test(text);

/** The URL of the frame. The look follows the `#`, so that all looks share the cached page. */
export function embedFrameUrl({ frameUrl }: EmbedSubject, look: EmbedLook): string {
  const parts = [
    look.start !== '' && `t=${look.start}`,
    look.theme !== '' && `theme=${look.theme}`,
    look.color !== '' && `color=${look.color.slice(1)}`,
    look.hasPlaylist && `playlist=${visibleRows}`,
  ].filter((part) => part !== false);
  const query = look.layout === 'compact' ? '?layout=compact' : '';
  return frameUrl + query + (parts.length === 0 ? '' : `#${parts.join('&')}`);
}

/** For pages that allow no scripts. */
export function embedFrameCode(subject: EmbedSubject, look: EmbedLook): string {
  const attributes = [
    ['src', embedFrameUrl(subject, look)],
    ['title', subject.title],
    ['width', '100%'],
    ['height', String(embedHeight(look))],
    ['frameborder', '0'],
    ['loading', 'lazy'],
  ] as const;
  return `<iframe ${writeAttributes(attributes)}></iframe>`;
}

/** The tag that opens the web component. */
export function embedElementTag(subject: EmbedSubject, look: EmbedLook, style = ''): string {
  const attributes = [
    [subject.name, subject.id],
    ['layout', look.layout === 'full' ? '' : look.layout],
    ['theme', look.theme],
    ['color', look.color],
    ['start', look.start],
    ['playlist', look.hasPlaylist ? String(visibleRows) : ''],
    ['style', style],
  ] as const;
  return `<podstead-player ${writeAttributes(attributes)}>`;
}

/** The web component, with its script. */
export function embedElementCode(subject: EmbedSubject, look: EmbedLook): string {
  const element = embedElementTag(subject, look, `display:block;min-height:${embedHeight(look)}px`);
  const script = writeAttributes([['src', subject.scriptUrl]]);
  return `${element}</podstead-player><script async ${script}></script>`;
}

function writeAttributes(attributes: readonly (readonly [string, string])[]): string {
  return attributes
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}="${escapeHtml(value)}"`)
    .join(' ');
}
