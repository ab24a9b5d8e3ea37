import { carriesCredential } from '../../lib/credential.ts';
import { isEmail } from '../../lib/email-address.ts';
import type { PodcastFields } from '../podcasts/index.ts';
import type { ParsedPodcast } from './feed/parsed-feed.ts';
import { readPlainText, shorten } from './feed-texts.ts';

/** What of a show its feed decides. What the feed does not say, or says amiss, is left out. */
export type ImportedPodcastFields = Partial<Omit<PodcastFields, 'slug' | 'newFeedUrl'>>;

const maxAddressLength = 2048;

/** The feed's channel as fields that pass the checks of `createPodcast`. */
export function toPodcastFields(channel: ParsedPodcast): ImportedPodcastFields {
  const [category] = channel.categories;
  const fields: { [K in keyof ImportedPodcastFields]: ImportedPodcastFields[K] | undefined } = {
    title: cut(channel.title, 500),
    subtitle: cut(channel.subtitle, 1000),
    author: cut(channel.author, 300),
    description: channel.description && readPlainText(channel.description, 20_000),
    language: tryLanguage(channel.language),
    category: cut(category?.category, 100),
    subcategory: cut(category?.subcategory, 100),
    explicit: channel.explicit,
    showType: channel.showType,
    copyright: cut(channel.copyright, 500),
    websiteUrl: tryPublicAddress(channel.websiteUrl),
    ownerName: cut(channel.ownerName, 300),
    ownerEmail: isEmail(channel.ownerEmail ?? '') ? channel.ownerEmail : undefined,
    fundingUrl: tryPublicAddress(channel.fundingUrl),
    fundingText: cut(channel.fundingText, 128),
  };
  const known = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(known) as ImportedPodcastFields;
}

/** An address that may be shown: one with a credential was never meant for everybody. */
export function tryPublicAddress(address: string | undefined): string | undefined {
  if (address === undefined || address.length > maxAddressLength) return undefined;
  return carriesCredential(address) ? undefined : address;
}

function cut(text: string | undefined, maxLength: number): string | undefined {
  return text === undefined ? undefined : shorten(text, maxLength);
}

/** `en_us` is common in feeds; what is no language at all is left to the default. */
function tryLanguage(text: string | undefined): string | undefined {
  try {
    return Intl.getCanonicalLocales(text?.replaceAll('_', '-') ?? [])[0];
  } catch {
    return undefined;
  }
}
