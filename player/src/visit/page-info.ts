/** What a listen page says about itself, for the player that stays. */
export interface PageInfo {
  /** URL of the script of this folder; another one belongs to another release. */
  readonly script: string;
  /** The path below which this origin has listen pages: `/listen/`, or `/` on a show's own domain. */
  readonly pages: string;
  readonly podcast: string;
  readonly show: string;
  readonly color: string;
  /** Undefined: that of the listener's system. */
  readonly theme?: 'light' | 'dark';
  /** The episode that the page is about. */
  readonly episode: string | null;
  /** The slug of the episode that was published after that one. */
  readonly next: string | null;
  /** Of the words: English if the pages don't support that of the show. */
  readonly language: string;
  readonly words: Readonly<Record<string, string>>;
}

/** Undefined for every other page. */
export function readPage(page: Document): PageInfo | undefined {
  const text = page.querySelector('#visit > script')?.textContent;
  return text ? JSON.parse(text) : undefined;
}

export type Say = (word: string, values?: Readonly<Record<string, string | number>>) => string;

export function sayIn({ words }: PageInfo): Say {
  return (word, values = {}) =>
    (words[word] ?? '').replace(/\{(\w+)\}/g, (_, name: string) => `${values[name]}`);
}

/** The page's URL may name a position in its episode: `#t=754`. */
export function linkedSeconds({ episode }: PageInfo, id: string): number | undefined {
  const [, seconds] = /^#t=(\d+)$/.exec(location.hash) ?? [];
  return id === episode && seconds !== undefined ? Number(seconds) : undefined;
}
