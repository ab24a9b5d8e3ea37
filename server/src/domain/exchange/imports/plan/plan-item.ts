import { carriesCredential } from '../../../../lib/credential.ts';
import type { Context } from '../../../foundation/context.ts';
import type { ExternalAudio } from '../../../publishing/audio/index.ts';
import { asOf } from '../../../publishing/episodes/index.ts';
import { type Chapter, formatChaptersJson } from '../../../publishing/transcripts/index.ts';
import {
  type KnownCredit,
  type KnownItem,
  selectKnownItem,
} from '../match/known-identities.sql.ts';
import type { WholeItem } from '../match/match-items.ts';
import type { ParsedPerson } from '../read/feed/parsed-feed.ts';
import type { ReadItem } from '../read/item-texts.ts';
import type { FieldDifference } from '../report/import-report.ts';
import { compareFields } from './compare-fields.ts';
import { describeAddress, describeInlineChapters, describeOwnChapters } from './describe-parts.ts';
import {
  hashValue,
  hashValues,
  type ImportedValues,
  isChangedHere,
  type KeptValue,
  type MergeRules,
} from './imported-values.ts';
import { draftItem, type ImportedEpisodeFields, type ItemDraft } from './item-draft.ts';
import { type Publication, planFirstPublication, planPublication } from './plan-publication.ts';

/** What to do about an item; empty if the feed has no news. */
export interface ItemPlan {
  readonly draft: ItemDraft;
  readonly known: KnownItem | undefined;
  /** The fields that differ; all fields of a new episode. */
  readonly fields: ImportedEpisodeFields;
  readonly hasNewSource: boolean;
  readonly credits: readonly ParsedPerson[] | undefined;
  readonly chapters: readonly Chapter[] | undefined;
  readonly audio: AudioPlan;
  readonly publication: Publication | undefined;
  readonly differences: readonly FieldDifference[];
  /** Values that were changed here and stay. */
  readonly kept: readonly KeptValue[];
  /** The values of this import that differ from the last one's. */
  readonly imported: ImportedValues;
}

export interface PlanOptions {
  readonly copyAudio: boolean;
  readonly overwrite: boolean;
}

/** Compares an item with the existing episode. Writes nothing. */
export async function planItem(
  ctx: Context,
  matched: WholeItem,
  options: PlanOptions,
): Promise<ItemPlan> {
  const { item, date, episodeId } = matched;
  const now = ctx.clock.now();
  const said = draftItem(matched, ctx.installation.redirectTable);
  const stored = episodeId === undefined ? undefined : await selectKnownItem(ctx.db, episodeId);
  const known = stored && asOf(stored, now);
  const draft = { ...said, source: keepEnclosure(said, known) };
  const audio = planAudio(draft, known, options);
  const dates = {
    date: item.publishedAt,
    dateOrGuess: date,
    isWaitingForAudio: audio.copy !== undefined || isUnusable(matched, draft, known),
  };
  const merge = new Merge(known, options.overwrite);
  const fields = compareFields<ImportedEpisodeFields>(
    known?.fields ?? {},
    draft.fields,
    merge.rules,
  );
  const plan = {
    draft,
    known,
    fields: fields.changed,
    hasNewSource: known !== undefined && !isSameSource(draft, known),
    credits: planCredits(draft, merge),
    chapters: planChapters(draft, merge),
    audio,
    publication:
      known === undefined
        ? planFirstPublication(dates, now)
        : mergePublication(merge, known, planPublication(known, dates, now)),
  };
  return {
    ...plan,
    differences: [...fields.differences, ...otherDifferences(plan)],
    kept: [...fields.kept, ...merge.kept, ...(audio.kept === undefined ? [] : [audio.kept])],
    imported: merge.news({ ...hashValues(draft.fields), ...merge.brought }),
  };
}

/** Its file is not audio: somebody has to add some, so it is not published without. */
function isUnusable({ item }: WholeItem, { audio }: ItemDraft, known?: KnownItem): boolean {
  return item.enclosure !== undefined && audio === undefined && (known?.audio ?? null) === null;
}

/** The values of an episode that an import has just created. */
export function importedFrom(made: KnownItem): ImportedValues {
  return hashValues({
    ...made.fields,
    people: describeCredits(made.credits),
    chapters: describeChapters(made.chapters ?? []),
    published_at: made.intendedPublishedAt ?? made.publishedAt ?? made.scheduledFor,
  });
}

/** Decides which other parts of the item are replaced and which stay. */
class Merge {
  readonly known: KnownItem | undefined;
  readonly rules: MergeRules;
  readonly kept: KeptValue[] = [];
  readonly brought: Record<string, string> = {};

  constructor(known: KnownItem | undefined, overwrite: boolean) {
    this.known = known;
    // Nothing was changed here in a new episode.
    this.rules = { imported: known?.imported ?? null, overwrite: overwrite || known === undefined };
  }

  /** Whether to write the source's value; `words` describes both values for a report. */
  takes(field: string, here: unknown, source: unknown, words: Omit<KeptValue, 'field'>): boolean {
    const brought = hashValue(source);
    this.brought[field] = brought;
    if (hashValue(here) === brought) return false;
    if (!isChangedHere(this.rules, field, here)) return true;
    this.kept.push({ field, ...words });
    return false;
  }

  news(values: ImportedValues): ImportedValues {
    const before = this.known?.imported ?? {};
    return Object.fromEntries(
      Object.entries(values).filter(([field, value]) => before[field] !== value),
    );
  }
}

/** If the feed names nobody, the credits stay as they are here. */
function planCredits({ people }: ItemDraft, merge: Merge): ItemPlan['credits'] {
  const wanted = [...new Map(people.map((person) => [creditKey(person), person])).values()];
  if (wanted.length === 0) return undefined;
  const here = merge.known?.credits ?? [];
  const words = { here: namesOf(here), source: namesOf(wanted) };
  const isTaken = merge.takes('people', describeCredits(here), describeCredits(wanted), words);
  return isTaken ? wanted : undefined;
}

const describeCredits = (credits: readonly Credited[]) =>
  credits.map((credit) => [creditKey(credit), credit.group]);

/** As `ItemPlan.imported` has it. */
export const hashCredits = (credits: readonly Credited[]): string =>
  hashValue(describeCredits(credits));

type Credited = Pick<KnownCredit, 'name' | 'role' | 'group'>;

/** A person is credited once per role. */
function creditKey({ name, role }: Credited): string {
  return `${name.toLowerCase()}\n${role}`;
}

function planChapters({ chapters }: ItemDraft, merge: Merge): ItemPlan['chapters'] {
  if (chapters === undefined) return undefined;
  const here = merge.known?.chapters ?? [];
  const words = { here: describeOwnChapters(here), source: describeInlineChapters(chapters) };
  const [before, after] = [here, chapters].map(describeChapters);
  return merge.takes('chapters', before, after, words) ? chapters : undefined;
}

export const describeChapters = (chapters: readonly Chapter[]): string =>
  chapters.length === 0 ? '' : formatChaptersJson(chapters);

/** A date changed here stays; a waiting episode gets the planned one. */
function mergePublication(
  merge: Merge,
  { status, publishedAt, scheduledFor }: KnownItem,
  next: Publication | undefined,
): Publication | undefined {
  if (next?.at === undefined || status === 'pending_confirmation') return next;
  const here = status === 'published' ? publishedAt : scheduledFor;
  const words = { here, source: next.at };
  return merge.takes('published_at', here, next.at, words) ? next : undefined;
}

/** The origin of the audio stays known if the feed no longer has it. */
function keepEnclosure({ source }: ItemDraft, known?: KnownItem): ItemDraft['source'] {
  if (source.enclosureUrl !== null || known === undefined) return source;
  const { enclosureUrl, enclosureSha256 } = known.source;
  return { ...source, enclosureUrl, enclosureSha256 };
}

function isSameSource({ source }: ItemDraft, known: KnownItem): boolean {
  return (
    source.key === known.source.key &&
    source.guid === known.source.guid &&
    source.enclosureUrl === known.source.enclosureUrl &&
    source.guidSha256 === known.source.guidSha256 &&
    source.enclosureSha256 === known.source.enclosureSha256
  );
}

function otherDifferences(
  plan: Omit<ItemPlan, 'differences' | 'kept' | 'imported'>,
): FieldDifference[] {
  const { known, credits, chapters, audio, publication } = plan;
  const differences: FieldDifference[] = [];
  const add = (field: string, from: unknown, to: unknown) => differences.push({ field, from, to });
  if (credits !== undefined) add('people', namesOf(known?.credits ?? []), namesOf(credits));
  if (chapters !== undefined) add('chapters', known?.chapters?.length ?? 0, chapters.length);
  if (audio.difference !== undefined) differences.push(audio.difference);
  // The original identity is private.
  else if (plan.hasNewSource) add('source', null, null);
  if (publication !== undefined)
    add('published_at', known?.publishedAt ?? null, publication.at ?? null);
  return differences;
}

function namesOf(people: readonly { readonly name: string }[]): string {
  return people.map(({ name }) => name).join(', ');
}

interface AudioPlan {
  /** The redirect target, at least until there is a copy. */
  readonly refer: ExternalAudio | undefined;
  /** To be copied after the episode is created. */
  readonly copy: ExternalAudio | undefined;
  readonly difference: FieldDifference | undefined;
  /** Audio that was set here stays. */
  readonly kept: KeptValue | undefined;
}

const nothing: AudioPlan = {
  refer: undefined,
  copy: undefined,
  difference: undefined,
  kept: undefined,
};

/** What to do about an item's audio. */
function planAudio(
  { audio }: ItemDraft,
  known: KnownItem | undefined,
  { copyAudio, overwrite }: { readonly copyAudio: boolean; readonly overwrite: boolean },
): AudioPlan {
  if (audio === undefined) return nothing;
  const here = known?.audio ?? undefined;
  const from = here === undefined ? null : describeAudio(here.sourceUrl, here.isCopy);
  const difference = { field: 'audio', from, to: describeAudio(audio.url, copyAudio) };
  if (here?.isCopy === true) {
    if (here.sourceUrl === null && !overwrite) {
      return { ...nothing, kept: { field: 'audio', here: from, source: difference.to } };
    }
    // A stored copy is never replaced with a mere URL.
    if (here.sourceUrl === audio.url || !copyAudio) return nothing;
    return { ...nothing, copy: audio, difference };
  }
  const isReferred =
    here?.sourceUrl === audio.url &&
    here.sizeBytes === audio.sizeBytes &&
    here.durationMs === audio.durationMs;
  if (isReferred && !copyAudio) return nothing;
  return {
    ...nothing,
    refer: isReferred ? undefined : audio,
    copy: copyAudio ? audio : undefined,
    difference,
  };
}

function describeAudio(address: string | null, isCopy: boolean): string {
  const place = URL.canParse(address ?? '') ? describeAddress(address ?? '') : 'audio of ours';
  return isCopy ? `a copy of ${place}` : place;
}

/** Why an item with an enclosure becomes an episode without audio, although nothing failed. */
export function findAudioProblem(
  { enclosure }: ReadItem,
  { draft, known }: Pick<ItemPlan, 'draft' | 'known'>,
  { copyAudio }: { readonly copyAudio: boolean },
): { readonly reason: string; readonly message: string } | undefined {
  if (enclosure === undefined || known?.audio?.isCopy === true) return undefined;
  if (draft.audio === undefined) {
    const type = enclosure.type ?? 'a file of an unknown type';
    const message = `Its enclosure is not a supported audio file (${type}), so the episode still needs audio.`;
    return { reason: 'enclosure_not_audio', message };
  }
  if (copyAudio || !carriesCredential(enclosure.url)) return undefined;
  const message =
    'The URL of its audio contains a credential and must not be published, so the episode ' +
    'has no audio. An import that copies the audio solves this.';
  return { reason: audioIsSecret, message };
}

/** Copying the audio would solve it. */
export const audioIsSecret = 'audio_is_secret';
