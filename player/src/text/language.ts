import ar from './ar.json' with { type: 'json' };
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import ja from './ja.json' with { type: 'json' };

export type TextKey = keyof typeof en;

const languages: Record<string, Record<TextKey, string>> = { en, de, es, fr, ja, ar };

export interface Texts {
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  /** With `{a}`, `{b}`, `{n}` filled in. */
  say(key: TextKey, values?: Readonly<Record<string, string | number>>): string;
}

/** In the language around the element, else the listener's, else English. */
export function chooseTexts(element: Element): Texts {
  const wanted = [closestLanguage(element), navigator.language].map(primaryOf);
  const language = wanted.find((tag) => Object.hasOwn(languages, tag)) ?? 'en';
  const around = getComputedStyle(element).direction;
  return {
    language,
    direction: language === 'ar' || around === 'rtl' ? 'rtl' : 'ltr',
    say(key, values = {}) {
      const text = (languages[language] ?? en)[key];
      return text.replace(/\{(\w)\}/g, (_, name: string) => `${values[name]}`);
    },
  };
}

function primaryOf(tag: string): string {
  return tag.toLowerCase().split('-', 1)[0] ?? '';
}

/** The nearest `lang`, through the shadow roots the element stands in. */
function closestLanguage(element: Element): string {
  const holder = element.closest('[lang]');
  if (holder) return holder.getAttribute('lang') ?? '';
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? closestLanguage(root.host) : '';
}
