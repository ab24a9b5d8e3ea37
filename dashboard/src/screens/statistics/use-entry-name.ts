import { useLingui } from '@lingui/react/macro';
import type { Breakdown, Dimension } from '../../api/analytics.ts';
import { locale } from '../../lib/formatters.ts';

type Entry = Pick<Breakdown['entries'][number], 'key' | 'label'>;

/** The names of a ranking in the reader's language, if there are any. */
export function useEntryName(dimension: Dimension): (entry: Entry) => string {
  const { t } = useLingui();
  const common: Readonly<Record<string, string>> = { unknown: t`Unknown`, other: t`Other` };
  const sources: Readonly<Record<string, string>> = {
    feed: t`Feed`,
    player: t`Player on websites`,
    listen_page: t`Listen page`,
    direct: t`Direct link`,
  };
  // The others are names of products.
  const devices: Readonly<Record<string, string>> = {
    'amazon-smart-speaker': t`Amazon Smart Speaker`,
    'android-phone': t`Android Phone`,
    'android-tablet': t`Android Tablet`,
    'apple-computer': t`Apple Computer`,
    'other-computer': t`Other Computer`,
    'other-mobile-device': t`Other Mobile Device`,
    'other-smart-speaker': t`Other Smart Speaker`,
    'other-smart-tv': t`Other Smart TV`,
    'other-tablet': t`Other Tablet`,
    'other-watch': t`Other Watch`,
    'smart-car': t`Smart Car`,
    'windows-computer': t`Windows Computer`,
  };
  const countries = new Intl.DisplayNames(locale(), { type: 'region', fallback: 'code' });
  return ({ key, label }) => {
    const name = common[key];
    if (name !== undefined) return name;
    if (dimension === 'sources') return sources[key] ?? label;
    if (dimension === 'devices') return devices[key] ?? label;
    const isCountry = dimension === 'countries' && /^[A-Z]{2}$/.test(key);
    return isCountry ? (countries.of(key) ?? label) : label;
  };
}
