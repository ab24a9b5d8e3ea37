import { locale } from '../../lib/formatters.ts';

/** The languages of most shows, and some of their regions. */
const common = [
  ...['ar', 'bg', 'ca', 'cs', 'cy', 'da', 'de', 'de-AT', 'de-CH', 'el', 'en', 'en-AU', 'en-CA'],
  ...['en-GB', 'en-IE', 'en-IN', 'en-NZ', 'en-US', 'en-ZA', 'es', 'es-AR', 'es-MX', 'et', 'eu'],
  ...['fa', 'fi', 'fr', 'fr-CA', 'ga', 'gl', 'gu', 'he', 'hi', 'hr', 'hu', 'id', 'is', 'it', 'ja'],
  ...['ko', 'lt', 'lv', 'mr', 'ms', 'nb', 'nl', 'nl-BE', 'pa', 'pl', 'pt', 'pt-BR', 'ro', 'ru'],
  ...['sk', 'sl', 'sr', 'sv', 'sw', 'ta', 'te', 'th', 'tl', 'tr', 'uk', 'ur', 'vi', 'yue', 'zh'],
  ...['zh-CN', 'zh-HK', 'zh-TW', 'zu'],
];

/** By their names in the reader's language. */
export function LanguageOptions({ current }: { readonly current: string }) {
  const names = new Intl.DisplayNames(locale(), { type: 'language' });
  const nameOf = (tag: string) => {
    try {
      return names.of(tag) ?? tag;
    } catch {
      return tag;
    }
  };
  const tags = common.includes(current) ? common : [...common, current];
  return tags
    .map((tag) => [tag, nameOf(tag)] as const)
    .sort(([, a], [, b]) => a.localeCompare(b, locale()))
    .map(([tag, name]) => (
      <option key={tag} value={tag}>
        {name}
      </option>
    ));
}
