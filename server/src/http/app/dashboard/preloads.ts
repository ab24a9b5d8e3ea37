import { URLPattern } from 'node:url';
import { baseLanguageOf } from '../../pages/page-language.ts';
import { preferredLanguage } from '../../pages/preferred-language.ts';
import { type Html, html } from '../../responses/html.ts';

/** Data about the app's screens, from its build (`dashboard/scripts/write-preloads.ts`). */
export interface Preloads {
  readonly screens: readonly Screen[];
  /** The script of each language, except English. */
  readonly catalogs: Readonly<Record<string, string>>;
}

interface Screen {
  /** `/app/shows/:podcastId/episodes` */
  readonly address: string;
  readonly scripts: readonly string[];
  /** Addresses of the API, with the same names. */
  readonly requests: readonly string[];
}

/** Only ids are copied from an address into the page. */
const id = /^[\w-]{1,64}$/;

/** Makes links that preload the scripts and requests of the screen at an address. */
export class PreloadLinks {
  readonly #catalogs: Preloads['catalogs'];
  readonly #screens: readonly (Screen & { readonly pattern: URLPattern })[];

  constructor({ catalogs, screens }: Preloads) {
    this.#catalogs = catalogs;
    this.#screens = screens.map((screen) => ({
      ...screen,
      pattern: new URLPattern({ pathname: screen.address }),
    }));
  }

  for(url: string, acceptLanguage: string | undefined): Html {
    const catalog = this.#catalogs[baseLanguageOf(preferredLanguage(acceptLanguage))];
    const { scripts, requests } = this.#find(url);
    const modules = catalog === undefined ? scripts : [catalog, ...scripts];
    return html`${modules.map(
      (href) => html`<link rel="modulepreload" crossorigin href="${href}">\n`,
    )}${requests.map(
      (href) => html`<link rel="preload" as="fetch" crossorigin href="${href}">\n`,
    )}`;
  }

  #find(url: string): Pick<Screen, 'scripts' | 'requests'> {
    const [pathname = '', search] = url.split('?', 2);
    for (const { pattern, scripts, requests } of this.#screens) {
      const ids = pattern.exec({ pathname })?.pathname.groups;
      if (ids === undefined || !Object.values(ids).every((value) => id.test(value ?? ''))) continue;
      // A filtered list or another range needs other requests.
      return {
        scripts,
        requests: search === undefined ? requests.map((path) => fill(path, ids)) : [],
      };
    }
    return { scripts: [], requests: [] };
  }
}

function fill(path: string, ids: Readonly<Record<string, string | undefined>>): string {
  return path.replace(/:(\w+)/g, (name, key: string) => ids[key] ?? name);
}
