import { fetchText } from '../api/fetch.ts';
import ar from './ar.json' with { type: 'json' };
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import he from './he.json' with { type: 'json' };
import it from './it.json' with { type: 'json' };
import ja from './ja.json' with { type: 'json' };
import nl from './nl.json' with { type: 'json' };
import pt from './pt.json' with { type: 'json' };
import ru from './ru.json' with { type: 'json' };

export type TextKey = keyof typeof en;
type Words = Record<TextKey, string>;

/**
 * In `v1.js`, every language but English is the SHA-256 of its file, in Base64, until it is
 * loaded.
 */
const languages: Record<string, Words | string> = { en, ar, de, es, fr, he, it, ja, nl, pt, ru };

export interface Texts {
  readonly locale: string;
  readonly direction: 'ltr' | 'rtl';
  /** Fills in `{a}`, `{b}`, `{n}`. English until the language is loaded. */
  say(key: TextKey, values?: Readonly<Record<string, string | number>>): string;
}

/** The language of the element, else of the browser, else English. */
export function chooseTexts(element: Element): Texts {
  const wanted = [inherited(element, 'lang'), navigator.language].map(primaryOf);
  const locale = wanted.find((tag) => Object.hasOwn(languages, tag)) ?? 'en';
  const isRtl = /^(ar|he)$/.test(locale) || /^rtl$/i.test(inherited(element, 'dir'));
  return {
    locale,
    direction: isRtl ? 'rtl' : 'ltr',
    say(key, values = {}) {
      const words = languages[locale] as Words | string;
      const text = (typeof words === 'string' ? en : words)[key];
      return text.replace(/\{(\w)\}/g, (_, name: string) => `${values[name]}`);
    },
  };
}

/** Loads a language once for all players. Resolves to true if this call loaded it. */
export async function loadTexts({ locale }: Texts, service: string): Promise<boolean> {
  const hash = languages[locale];
  if (typeof hash !== 'string') return false;
  const hexadecimal = [...atob(hash)].map((byte) =>
    byte.charCodeAt(0).toString(16).padStart(2, '0'),
  );
  const url = `${service}/player/v1.${locale}.${hexadecimal.join('')}.json`;
  // The hash makes sure that these are this version's texts, whatever a proxy returns.
  languages[locale] = JSON.parse(await fetchText(url, `sha256-${hash}`));
  return true;
}

function primaryOf(tag: string): string {
  return tag.toLowerCase().split('-', 1)[0] ?? '';
}

/**
 * The nearest such attribute, across shadow roots. Reading the computed style instead would force a
 * layout for every player.
 */
function inherited(element: Element, name: 'lang' | 'dir'): string {
  const holder = element.closest(`[${name}]`);
  if (holder) return holder.getAttribute(name) ?? '';
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? inherited(root.host, name) : '';
}
