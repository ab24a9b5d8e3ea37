import ar from './ar.json' with { type: 'json' };
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import ja from './ja.json' with { type: 'json' };

export type TextKey = keyof typeof en;

const languages: Record<string, Record<TextKey, string>> = { en, de, es, fr, ja, ar };

export interface Texts {
  readonly locale: string;
  readonly direction: 'ltr' | 'rtl';
  /** With `{a}`, `{b}`, `{n}` filled in. */
  say(key: TextKey, values?: Readonly<Record<string, string | number>>): string;
}

/** In the language around the element, else the listener's, else English. */
export function chooseTexts(element: Element): Texts {
  const wanted = [inherited(element, 'lang'), navigator.language].map(primaryOf);
  const locale = wanted.find((tag) => Object.hasOwn(languages, tag)) ?? 'en';
  const isRtl = locale === 'ar' || /^rtl$/i.test(inherited(element, 'dir'));
  return {
    locale,
    direction: isRtl ? 'rtl' : 'ltr',
    say(key, values = {}) {
      const text = (languages[locale] ?? en)[key];
      return text.replace(/\{(\w)\}/g, (_, name: string) => `${values[name]}`);
    },
  };
}

function primaryOf(tag: string): string {
  return tag.toLowerCase().split('-', 1)[0] ?? '';
}

/**
 * The nearest such attribute, through the shadow roots the element stands in. Asking for the computed
 * style instead would make the browser lay out the page once for every player on it.
 */
function inherited(element: Element, name: 'lang' | 'dir'): string {
  const holder = element.closest(`[${name}]`);
  if (holder) return holder.getAttribute(name) ?? '';
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? inherited(root.host, name) : '';
}
