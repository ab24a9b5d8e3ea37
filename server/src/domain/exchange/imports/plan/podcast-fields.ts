import { carriesCredential } from '../../../../lib/credential.ts';
import { isEmail } from '../../../../lib/email-address.ts';
import type { Category } from '../../../../lib/fields/field.ts';
import { podcastFields } from '../../../../lib/fields/podcast-fields.ts';
import { tryParseLanguage } from '../../../../lib/language.ts';
import { shorten } from '../../../../lib/shorten.ts';
import { isShortUrl } from '../../../../lib/web-url.ts';
import {
  type PodcastFields,
  readTxtFields,
  tryParseAppleCategory,
} from '../../../publishing/podcasts/index.ts';
import type { ParsedPodcast } from '../read/feed/parsed-feed.ts';
import { readPlainText } from '../read/feed-texts.ts';

/** The fields of a show that its feed defines; missing and invalid ones are omitted. */
export type ImportedPodcastFields = Partial<Omit<PodcastFields, 'slug' | 'newFeedUrl'>>;

/** The feed's channel as valid fields for `createPodcast`. */
export function toPodcastFields(channel: ParsedPodcast): ImportedPodcastFields {
  const [category, ...otherCategories] = categoriesOf(channel);
  const [funding, ...otherFunding] = channel.funding.flatMap(({ url, text }) => {
    const shown = tryPublicAddress(url);
    return shown === undefined ? [] : [{ url: shown, text: cut(text, 128) ?? null }];
  });
  const txt = readTxtFields(podcastFields, channel.extraElements);
  const fields: { [K in keyof ImportedPodcastFields]: ImportedPodcastFields[K] | undefined } = {
    title: cut(channel.title, 500),
    subtitle: cut(channel.subtitle, 1000),
    author: cut(channel.author, 300),
    description: channel.description && readPlainText(channel.description, 20_000),
    language: tryParseLanguage(channel.language),
    category: category?.category,
    subcategory: category?.subcategory,
    otherCategories: category && otherCategories,
    explicit: channel.explicit,
    showType: channel.showType,
    copyright: cut(channel.copyright, 500),
    websiteUrl: tryPublicAddress(channel.websiteUrl),
    ownerName: cut(channel.ownerName, 300),
    ownerEmail: isEmail(channel.ownerEmail ?? '') ? channel.ownerEmail : undefined,
    fundingUrl: funding?.url,
    fundingText: funding?.text,
    otherFunding: funding && otherFunding,
    medium: channel.medium,
    complete: channel.complete,
    itunesBlock: channel.block,
    enclosurePrefixes: channel.enclosurePrefixes,
    extraElements: txt.others,
    ...txt.values,
  };
  const known = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(known) as ImportedPodcastFields;
}

/** Each once, under its current Apple name. */
function categoriesOf({ categories }: ParsedPodcast): Category[] {
  const found = new Map<string, Category>();
  for (const given of categories) {
    const { category, subcategory } = tryParseAppleCategory(given) ?? given;
    found.set(JSON.stringify([category, subcategory]), {
      category: shorten(category, 100),
      subcategory: cut(subcategory, 100) ?? null,
    });
  }
  return [...found.values()];
}

/** A URL that may be published: one that is too long, or has a credential, may not. */
export function tryPublicAddress(address: string | undefined): string | undefined {
  if (address === undefined || !isShortUrl(address)) return undefined;
  return carriesCredential(address) ? undefined : address;
}

function cut(text: string | undefined, maxLength: number): string | undefined {
  return text === undefined ? undefined : shorten(text, maxLength);
}
