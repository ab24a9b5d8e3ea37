import { type PageInfo, readPage } from './page-info.ts';
import { readStored, store } from './queue.ts';

const patienceMs = 8_000;
const key = 'podstead-scroll';
const mostPositions = 50;

/** What moves from page to page: it stays, and the new page comes before it. */
interface Traveller {
  /** Stays in the document. */
  readonly host: Element | undefined;
  /** Whether links should keep the document; otherwise they are the browser's. */
  isNeeded(): boolean;
  isOwnLink(link: HTMLAnchorElement): boolean;
  onLoading(isLoading: boolean): void;
  /** A page can't be loaded without a connection; the one before is still there. */
  onOffline(): void;
  onPage(page: PageInfo): void;
}

/** What belongs to the document rather than to one of its pages. */
const lasting = 'script[src], meta[charset], meta[name=viewport], title';

/**
 * Follows links between listen pages without leaving the document, so that the audio plays on. Whatever
 * goes wrong, the browser follows the link as usual, except without a connection.
 */
export class Navigation {
  readonly #traveller: Traveller;
  readonly #sheet = new CSSStyleSheet();
  #page: PageInfo;
  #loading: AbortController | undefined;
  /** The URL whose page is shown, without its fragment. */
  #shown = pathOf(location);
  /** The history entry that is shown. */
  #entry = entryKey();
  readonly #positions = new Map<string, readonly [number, number]>(
    Object.entries(readStored('sessionStorage', key) ?? {}),
  );

  constructor(page: PageInfo, traveller: Traveller) {
    this.#page = page;
    this.#traveller = traveller;
    document.addEventListener('click', (event) => this.#onClick(event));
    addEventListener('popstate', () => this.#onPop());
    // What the history has moved to while there was no connection.
    addEventListener('online', () => {
      if (pathOf(location) !== this.#shown) this.#onPop();
    });
    addEventListener('hashchange', () => {
      this.#entry = entryKey();
    });
    // For a page that the browser loads itself, it also restores the position.
    addEventListener('pagehide', () => {
      this.#keepPosition();
      history.scrollRestoration = 'auto';
      const latest = [...this.#positions].slice(-mostPositions);
      store('sessionStorage', key, Object.fromEntries(latest));
    });
  }

  #onClick(event: MouseEvent): void {
    const isModified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (event.defaultPrevented || event.button !== 0 || isModified) return;
    const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement);
    if (!link?.href || !this.#traveller.isNeeded()) return;
    const isElsewhere = link.target !== '' && link.target !== '_self';
    if (link.hasAttribute('download') || (isElsewhere && !this.#traveller.isOwnLink(link))) return;
    const url = new URL(link.href);
    if (!this.#isPage(url)) return;
    if (pathOf(url) === this.#shown && url.hash) {
      this.#keepPosition();
      return;
    }
    event.preventDefault();
    this.#go(url, true);
  }

  /** Only pages below this path, which have at most two segments, are worth a try. */
  #isPage({ origin, pathname }: URL): boolean {
    const { pages } = this.#page;
    if (origin !== location.origin || !pathname.startsWith(pages)) return false;
    return /^[^/.]*(\/[^/.]+)?$/.test(pathname.slice(pages.length));
  }

  #onPop(): void {
    const url = new URL(location.href);
    if (pathOf(url) === this.#shown) {
      this.#loading?.abort();
      this.#entry = entryKey();
      this.#scrollBack();
      return;
    }
    this.#keepPosition();
    this.#go(url, false);
  }

  async #go(url: URL, isNew: boolean): Promise<void> {
    this.#loading?.abort();
    const loading = new AbortController();
    this.#loading = loading;
    this.#traveller.onLoading(true);
    const timer = setTimeout(() => loading.abort(slow), patienceMs);
    try {
      const { page, style, at, info } = await this.#fetch(url, loading.signal);
      if (loading.signal.aborted) return;
      if (isNew) this.#push(at);
      // The policy allows an inline style by its hash only, but style sheets that scripts make.
      this.#sheet.replaceSync(style);
      this.#show(page, info);
      if (isNew) scrollToFragment(at);
      else this.#scrollBack();
    } catch {
      if (loading.signal.aborted && loading.signal.reason !== slow) return;
      // The browser would say so on a page of its own, and the audio would end.
      if (!navigator.onLine) this.#traveller.onOffline();
      else if (pathOf(url) === pathOf(location)) location.reload();
      else location.assign(url);
    } finally {
      clearTimeout(timer);
      if (this.#loading === loading) this.#traveller.onLoading(false);
    }
  }

  /** Throws if it is anything but a listen page of this release. */
  async #fetch(url: URL, signal: AbortSignal) {
    const response = await fetch(url, { signal, headers: { Accept: 'text/html' } });
    const { style, rest } = splitStyle(await response.text());
    const page = new DOMParser().parseFromString(rest, 'text/html');
    const info = readPage(page);
    const at = new URL(response.url);
    at.hash = url.hash;
    const isSame = info?.script === this.#page.script && scriptsOf(page) === scriptsOf(document);
    if (!response.ok || !info || !isSame || at.origin !== location.origin) throw new Error('other');
    return { page, style, at, info };
  }

  #push(url: URL): void {
    this.#keepPosition();
    history.scrollRestoration = 'manual';
    // An installation without TLS has no crypto.randomUUID.
    history.pushState({ entry: `${Date.now()} ${Math.random()}` }, '', url);
  }

  #show(page: Document, info: PageInfo): void {
    this.#shown = pathOf(location);
    this.#entry = entryKey();
    this.#page = info;
    document.adoptedStyleSheets = [this.#sheet];
    exchange(page, this.#traveller.host);
    this.#traveller.onPage(info);
    focusHeading();
  }

  #keepPosition(): void {
    this.#positions.delete(this.#entry);
    this.#positions.set(this.#entry, [scrollX, scrollY]);
  }

  #scrollBack(): void {
    const [left, top] = this.#positions.get(this.#entry) ?? [];
    if (top === undefined || left === undefined) return;
    scrollTo({ left, top, behavior: 'instant' });
  }
}

const slow = 'slow';

/** What had the focus is gone. */
export function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('h1');
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

/** Parsing another page's style would violate the policy of this one. It is in the head, without markup. */
function splitStyle(text: string): { readonly style: string; readonly rest: string } {
  const [opening, closing] = ['<style>', '</style>'];
  const from = text.indexOf(opening);
  const to = text.indexOf(closing, from);
  if (from < 0 || to < 0) return { style: '', rest: text };
  const rest = text.slice(0, from) + text.slice(to + closing.length);
  return { style: text.slice(from + opening.length, to), rest };
}

function exchange(page: Document, host: Element | undefined): void {
  const { documentElement: root, head, body } = document;
  root.lang = page.documentElement.lang;
  root.dir = page.documentElement.dir;
  document.title = page.title;
  for (const element of [...head.children]) if (!element.matches(lasting)) element.remove();
  head.append(...[...page.head.children].filter((each) => !each.matches(`${lasting}, style`)));
  body.className = page.body.className;
  const isScript = (node: Node) => node instanceof Element && node.matches('script');
  for (const node of [...body.childNodes]) {
    if (node !== host && !isScript(node)) node.remove();
  }
  body.prepend(...[...page.body.childNodes].filter((node) => !isScript(node)));
}

function scrollToFragment({ hash }: URL): void {
  const target = hash && document.getElementById(decode(hash.slice(1)));
  if (target) target.scrollIntoView({ behavior: 'instant' });
  else scrollTo({ left: 0, top: 0, behavior: 'instant' });
}

/** Anything may be in a link. */
function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function scriptsOf(page: Document): string {
  const scripts = page.querySelectorAll<HTMLScriptElement>('script[src*="/v1."], body > script');
  return [...scripts].map(({ src, textContent }) => src || textContent).join();
}

function pathOf({ pathname, search }: URL | Location): string {
  return pathname + search;
}

function entryKey(): string {
  return history.state?.entry ?? location.href;
}
