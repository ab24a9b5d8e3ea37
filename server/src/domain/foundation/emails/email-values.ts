import { describeBytes } from '../../../lib/describe-bytes.ts';
import { fillMessage } from '../../../lib/fill-message.ts';
import { isRightToLeft, type Language } from '../../../lib/languages.ts';
import { preventLinks } from '../../../lib/prevent-links.ts';
import { formatDay, formatMoment, formatMonth } from '../../../lib/time.ts';
import type { Role, Scope } from '../enumerations.ts';
import { message, translate } from '../translations/index.ts';

/**
 * What the values of emails can be. Rows keep them as they are, with moments as ISO 8601; they become
 * text in the language of the email.
 */
interface Values {
  /** What users or the operator wrote. */
  readonly text: string;
  /** An absolute URL of this service. */
  readonly link: string;
  /** Day and time in UTC. */
  readonly moment: Date;
  /** In UTC, too. */
  readonly day: Date;
  readonly month: Date;
  readonly number: number;
  readonly bytes: number;
  /** A code of ISO 3166; null: unknown. */
  readonly country: string | null;
  /** Its number and name; null: unknown. */
  readonly network: string | null;
  readonly scopes: readonly Scope[];
  /** Only `custom` has a name of its own; the others have an English one. */
  readonly role: { readonly role: Role; readonly roleName: string };
  /** A title; null: it cannot be shown. */
  readonly podcast: string | null;
  /** All that the user has and will have, or titles and the number of others. */
  readonly podcasts: 'all' | { readonly titles: readonly string[]; readonly more: number };
  readonly sentence: EmailSentence;
}

export type ValueKind = keyof Values;
export type EmailValue<K extends ValueKind> = Values[K];

/** Sentences that an email may have. */
const sentences = {
  secretWorks: {
    text: message('The old secret works until {until}.'),
    kinds: { until: 'moment' },
  },
  secretEnded: { text: message('The old secret does not work any more.'), kinds: {} },
  planActive: { text: message('It is active.'), kinds: {} },
  planLapsed: {
    text: message(
      'It has lapsed: your podcasts stay online for listeners, but API keys cannot read them until you renew the plan.',
    ),
    kinds: {},
  },
  nearSuspends: {
    text: message(
      'If they reach {limit}, your podcasts will be suspended {days, plural, one {# day} other {# days}} later: listeners then cannot open their pages or play their episodes. Feeds stay, so you lose no subscribers.',
    ),
    kinds: { limit: 'number', days: 'number' },
  },
  nearChangesNothing: { text: message('You do not have to do anything.'), kinds: {} },
  reachedSuspends: {
    text: message(
      'On {day} your podcasts will be suspended: listeners then cannot open their pages or play their episodes. Feeds stay, so you lose no subscribers. The suspension ends with a larger plan, or on {renews}.',
    ),
    kinds: { day: 'day', renews: 'day' },
  },
  overFor: {
    text: message('They have been over it for {days, plural, one {# day} other {# days}}.'),
    kinds: { days: 'number' },
  },
  lastBackup: {
    text: message('The last backup of this installation was made on {at}.'),
    kinds: { at: 'moment' },
  },
  filesInBackups: { text: message('Backups still have all of them.'), kinds: {} },
  filesInNoBackup: {
    text: message(
      'Files that no backup has: {count}. Until they are back, old backups are not removed.',
    ),
    kinds: { count: 'number' },
  },
  noBackup: { text: message('This installation has no backup yet.'), kinds: {} },
  reachedChangesNothing: { text: message('Nothing changes for your listeners.'), kinds: {} },
} as const;

type Sentences = typeof sentences;

/** A sentence by its name, with its values. */
export type EmailSentence = {
  [Name in keyof Sentences]: {
    readonly sentence: Name;
    readonly values: {
      readonly [Value in keyof Sentences[Name]['kinds']]: Sentences[Name]['kinds'][Value] extends infer Kind extends
        Exclude<ValueKind, 'sentence'>
        ? Values[Kind]
        : never;
    };
  };
}[keyof Sentences];

/** Line breaks and direction marks, which must not reach the text around a value. */
const unruly = /[\p{Cc}\u2028\u2029\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu;

/**
 * The text of a value, which no mail program makes a link of, unless it is one of ours. `value`: as in
 * the row of the email. Throws RangeError for an invalid moment.
 */
export function formatValue(kind: ValueKind, value: unknown, language: Language): string {
  return formats[kind](value as never, language);
}

type Format<K extends ValueKind> = (value: Values[K], language: Language) => string;

const formats: { readonly [K in ValueKind]: Format<K> } = {
  text: (text) => written(text),
  link: (link) => link,
  moment: (moment, language) => formatMoment(new Date(moment), language),
  day: (day, language) => formatDay(new Date(day), language),
  month: (month, language) => formatMonth(new Date(month), language),
  number: (number, language) => number.toLocaleString(language),
  bytes: describeBytes,
  country: (country, language) =>
    country === null
      ? say(message('unknown'), language)
      : (new Intl.DisplayNames(language, { type: 'region' }).of(country) ?? country),
  network: (network, language) =>
    network === null ? say(message('unknown'), language) : written(network),
  scopes: (scopes, language) => listed(scopes, language),
  role: ({ role, roleName }, language) =>
    role === 'custom' ? written(roleName) : say(roleName, language),
  podcast: (title, language) =>
    title === null ? say(message('your podcast'), language) : written(title),
  podcasts: describePodcasts,
  sentence: writeSentence,
};

/** User text. A name such as evil.example must not become a link. */
function written(text: string): string {
  return preventLinks(text.replace(unruly, ' ').trim());
}

function describePodcasts(podcasts: Values['podcasts'], language: Language): string {
  if (podcasts === 'all') return say(message('all of yours, now and later'), language);
  const { titles, more } = podcasts;
  const others = say(message('{count} more'), language).replace('{count}', String(more));
  return listed([...titles.map(written), ...(more > 0 ? [others] : [])], language);
}

function writeSentence({ sentence, values }: EmailSentence, language: Language): string {
  const { text, kinds } = sentences[sentence];
  const kindOf: Readonly<Record<string, ValueKind>> = kinds;
  const given: Readonly<Record<string, unknown>> = values;
  return fillMessage(say(text, language), language, {
    value: (name) => formatValue(kindOf[name] ?? 'text', given[name], language),
    number: (name) => Number(given[name]),
  });
}

const separators: Partial<Record<Language, string>> = { ja: '、', ar: '، ' };

function listed(items: readonly string[], language: Language): string {
  return items.map((item) => isolateValue(item, language)).join(separators[language] ?? ', ');
}

function say(text: string, language: Language): string {
  return translate(text, language) ?? text;
}

/** Keeps the order of the words around a value, whatever its script is. */
export function isolateValue(text: string, language: Language): string {
  return isRightToLeft(language) ? `\u2068${text}\u2069` : text;
}
