import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ImportRefusal } from '../../../server/src/domain/exchange/imports/index.ts';
import { refusals } from '../../../server/src/domain/foundation/refusals.ts';
import type { AudioRefusal } from '../../../server/src/domain/publishing/audio/audio-facts.ts';
import { directories } from '../../../server/src/domain/publishing/distribution/directory.ts';
import { episodeRules } from '../../../server/src/domain/publishing/distribution/health/episode-rules.ts';
import { healthSentences } from '../../../server/src/domain/publishing/distribution/health/health-sentences.ts';
import { showRules } from '../../../server/src/domain/publishing/distribution/health/show-rules.ts';
import type { ImageRefusal } from '../../../server/src/domain/publishing/images/image.ts';
import type { ChaptersRefusal } from '../../../server/src/domain/publishing/transcripts/chapter.ts';
import type { TranscriptRefusal } from '../../../server/src/domain/publishing/transcripts/transcript.ts';
import { errorCatalogue, privateErrorCodes } from '../../../server/src/http/http-errors.ts';
import {
  type ElementValue,
  type FeedElement,
  feedElements,
} from '../../../server/src/lib/fields/feed-elements.ts';
import type { SentenceList } from '../../../server/src/lib/sentences.ts';
import { loadWords } from '../../test/load-words.ts';

// The dashboard repeats the server's sentences, for its translations.

const rules = [...showRules, ...episodeRules];

function byRule(textOf: (rule: (typeof rules)[number]) => string): SentenceList {
  return Object.fromEntries(rules.map((rule) => [rule.rule, textOf(rule)]));
}

/** What the list of feed elements says, by the path of an element or a value. */
function ofElements(
  say: (one: FeedElement | ElementValue) => string | undefined,
  values: Readonly<Record<string, FeedElement | ElementValue>> = feedElements,
  before = '',
): SentenceList {
  const said = Object.entries(values).flatMap(([name, one]) => {
    const path = `${before}${name}`;
    const text = say(one);
    const inner = 'values' in one ? Object.entries(ofElements(say, one.values, `${path}.`)) : [];
    return [...(text === undefined ? [] : [[path, text] as const]), ...inner];
  });
  return Object.fromEntries(said);
}

function choicesOfElements(
  values: Readonly<Record<string, FeedElement | ElementValue>> = feedElements,
  before = '',
): SentenceList {
  const said = Object.entries(values).flatMap(([name, one]) => {
    const path = `${before}${name}.`;
    if ('values' in one) return Object.entries(choicesOfElements(one.values, path));
    if (one.kind !== 'choice') return [];
    return Object.entries(one.choices).map(([choice, label]) => [`${path}${choice}`, label]);
  });
  return Object.fromEntries(said);
}

const lists: readonly (readonly [file: string, name: string, list: object])[] = [
  [
    'health-words.ts',
    'healthMessages',
    {
      ...healthSentences,
      ...Object.fromEntries(episodeRules.map(({ rule, message }) => [rule, message])),
    },
  ],
  ['health-words.ts', 'healthTitles', byRule(({ title }) => title)],
  [
    'health-words.ts',
    'healthAdvice',
    Object.assign(
      byRule(({ whatToDo }) => whatToDo),
      ...showRules.map(({ whatToDoAbout }) => whatToDoAbout),
    ),
  ],
  [
    'directory-words.ts',
    'directorySteps',
    Object.fromEntries(directories.map(({ id, steps }) => [id, steps])),
  ],
  ['refusal-words.ts', 'refusalWords', refusals],
  ['element-words.ts', 'elementLabels', ofElements(({ label }) => label)],
  [
    'element-words.ts',
    'elementAbouts',
    ofElements((one) => ('about' in one ? one.about : undefined)),
  ],
  ['element-words.ts', 'elementHints', ofElements((one) => ('hint' in one ? one.hint : undefined))],
  ['element-words.ts', 'elementChoices', choicesOfElements()],
];

it.each(lists)('%s has %s for every sentence of the server', async (file, name, list) => {
  const words = await loadWords(file);
  expect(englishOf(words[name])).toEqual(list);
});

// Codes that a client of the private API never gets, and one that comes of the app's own mistakes.
const foreignCodes = ['invalid_api_key', 'insufficient_scope', 'not_implemented'];
const ownMistakes = ['precondition_required'];
// What is wrong is in the message: a sentence about the code would hide it.
const saidByMessage = ['invalid_request'];

// The compiler finds missing entries here.
const fileReasons: Record<AudioRefusal | ImageRefusal | TranscriptRefusal | ChaptersRefusal, true> =
  {
    empty: true,
    damaged: true,
    unsupported: true,
    too_large: true,
    not_audio: true,
    too_long: true,
    not_an_image: true,
    too_many_bytes: true,
    too_many_pixels: true,
    too_complex: true,
    not_a_transcript: true,
    too_many_segments: true,
    language_twice: true,
    no_first: true,
    too_many_languages: true,
    not_chapters: true,
    too_many_chapters: true,
  };

const importReasons: Record<ImportRefusal, true> = {
  not_a_feed: true,
  html: true,
  atom_feed: true,
  empty: true,
  no_channel: true,
  too_large: true,
  too_many_items: true,
  too_deep: true,
  xml_entities: true,
  bad_address: true,
  https_required: true,
  address_not_allowed: true,
  unreachable: true,
  timeout: true,
  too_slow: true,
  redirect_loop: true,
  http_status: true,
  feed_is_ours: true,
  audio_is_ours: true,
  feed_locked: true,
  feed_not_locked: true,
  already_proved: true,
  owner_unknown: true,
  code_wrong: true,
  code_expired: true,
  cancelled: true,
  under_way: true,
  has_ended: true,
  file_unreadable: true,
  slug_taken: true,
  too_many_slugs: true,
  show_unknown: true,
  podcast_exists: true,
  podcast_gone: true,
  documents_gone: true,
  gave_up: true,
};

it('there is a sentence for every code of an error, and for every reason to refuse a file', async () => {
  const codes = [...Object.keys(errorCatalogue), ...privateErrorCodes].filter(
    (code) => ![...foreignCodes, ...ownMistakes, ...saidByMessage].includes(code),
  );
  const { reasonWords } = await loadWords('reason-words.ts');
  const known = Object.keys(reasonWords as object);
  expect([...codes, ...Object.keys(fileReasons)].filter((key) => !known.includes(key))).toEqual([]);
});

it('there is a sentence for every reason why an import fails', async () => {
  const { importFailures } = await loadWords('import-words.ts');
  expect(Object.keys(importFailures as object).sort()).toEqual(Object.keys(importReasons).sort());
});

it.each([
  ['reason-words.ts', 'reasonWords'],
  ['import-words.ts', 'importFailures'],
  ['import-words.ts', 'importRemarks'],
])('%s: %s need no values, because reasons come without', async (file, name) => {
  const words = (await loadWords(file))[name] as Record<string, { readonly message: string }>;
  expect(Object.values(words).filter(({ message }) => message.includes('{'))).toEqual([]);
});

it('there is a sentence for every reason that a remark on an item gives', async () => {
  const folder = join(import.meta.dirname, '../../../server/src/domain/exchange/imports');
  const paths = (await readdir(folder, { recursive: true })).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts'),
  );
  const texts = await Promise.all(paths.map((path) => readFile(join(folder, path), 'utf8')));
  const given = texts.flatMap((text) =>
    [...text.matchAll(/reason: '([a-z_]+)'/g)].map(([, reason]) => reason),
  );
  expect(given.length).toBeGreaterThan(20);
  const { importRemarks } = await loadWords('import-words.ts');
  // The screen has its own words for these two.
  const known = [...Object.keys(importRemarks as object), 'changed_here', 'deleted_here'];
  expect(given.filter((reason) => !known.includes(reason ?? ''))).toEqual([]);
});

/** The server's messages without the formats of values. */
function englishOf(words: unknown): unknown {
  if (Array.isArray(words)) return words.map(englishOf);
  if (typeof words !== 'object' || words === null) return words;
  if ('message' in words) return String(words.message).replaceAll(/\{(\w+), number\}/g, '{$1}');
  return Object.fromEntries(Object.entries(words).map(([key, word]) => [key, englishOf(word)]));
}
