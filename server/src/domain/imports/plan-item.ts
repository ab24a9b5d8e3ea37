import type { Context } from '../context.ts';
import { asOf } from '../episodes/index.ts';
import type { ExternalAudio } from '../media/index.ts';
import { type Chapter, formatChaptersJson } from '../transcripts/index.ts';
import { compareFields } from './compare-fields.ts';
import type { ParsedPerson } from './feed/parsed-feed.ts';
import type { FieldDifference } from './import-report.ts';
import { draftItem, type ImportedEpisodeFields, type ItemDraft } from './item-draft.ts';
import { type KnownCredit, type KnownItem, selectKnownItem } from './known-items.sql.ts';
import type { FeedItem } from './list-items.ts';
import { type Publication, planFirstPublication, planPublication } from './plan-publication.ts';

/** What is to be done about an item. Nothing, where the feed says nothing new. */
export interface ItemPlan {
  readonly draft: ItemDraft;
  readonly known: KnownItem | undefined;
  /** Those that differ; of a new episode all. */
  readonly fields: ImportedEpisodeFields;
  readonly hasNewSource: boolean;
  readonly credits: readonly ParsedPerson[] | undefined;
  readonly chapters: readonly Chapter[] | undefined;
  readonly audio: AudioPlan;
  readonly publication: Publication | undefined;
  readonly differences: readonly FieldDifference[];
}

interface AudioPlan {
  /** To be redirected to, at least until there is a copy. */
  readonly refer: ExternalAudio | undefined;
  /** Once the episode stands. */
  readonly copy: ExternalAudio | undefined;
  readonly difference: FieldDifference | undefined;
}

/** Compares an item with what is here already. Reads, and writes nothing. */
export async function planItem(
  ctx: Context,
  podcastId: string | undefined,
  { key, item, date }: FeedItem,
  options: { readonly copyAudio: boolean },
): Promise<ItemPlan> {
  const now = ctx.clock.now();
  const draft = draftItem(item, key, ctx.installation.redirectTable);
  const wanted = { key, guid: item.guid ?? null };
  const stored =
    podcastId === undefined ? undefined : await selectKnownItem(ctx.db, podcastId, wanted);
  const known = stored && asOf(stored, now);
  const audio = planAudio(draft, known, options.copyAudio);
  const dates = {
    date: item.publishedAt,
    dateOrGuess: date,
    isWaitingForAudio: audio.copy !== undefined,
  };
  const publication =
    known === undefined ? planFirstPublication(dates, now) : planPublication(known, dates, now);
  const fields = compareFields<ImportedEpisodeFields>(known?.fields ?? {}, draft.fields);
  const plan = {
    draft,
    known,
    fields: fields.changed,
    hasNewSource: known !== undefined && !isSameSource(draft, known),
    credits: planCredits(draft, known),
    chapters: planChapters(draft, known),
    audio,
    publication,
  };
  return { ...plan, differences: [...fields.differences, ...otherDifferences(plan)] };
}

function planAudio(
  { audio }: ItemDraft,
  known: KnownItem | undefined,
  copyAudio: boolean,
): AudioPlan {
  const nothing = { refer: undefined, copy: undefined, difference: undefined };
  if (audio === undefined) return nothing;
  const here = known?.audio ?? undefined;
  const from = here === undefined ? null : describeAudio(here.sourceUrl, here.isCopy);
  const difference = { field: 'audio', from, to: describeAudio(audio.url, copyAudio) };
  if (here?.isCopy === true) {
    // Audio of ours is never given up for a mere address.
    if (here.sourceUrl === audio.url || !copyAudio) return nothing;
    return { refer: undefined, copy: audio, difference };
  }
  const isReferred =
    here?.sourceUrl === audio.url &&
    here.sizeBytes === audio.sizeBytes &&
    here.durationMs === audio.durationMs;
  if (isReferred && !copyAudio) return nothing;
  return { refer: isReferred ? undefined : audio, copy: copyAudio ? audio : undefined, difference };
}

/** A feed that names nobody leaves the credits to the show's makers. */
function planCredits({ people }: ItemDraft, known?: KnownItem): ItemPlan['credits'] {
  const wanted = [...new Map(people.map((person) => [creditKey(person), person])).values()];
  if (wanted.length === 0) return undefined;
  const describe = (credits: readonly Credited[]) =>
    JSON.stringify(credits.map((credit) => [creditKey(credit), credit.group]));
  return describe(wanted) === describe(known?.credits ?? []) ? undefined : wanted;
}

type Credited = Pick<KnownCredit, 'name' | 'role' | 'group'>;

/** The same person in the same role is credited once. */
function creditKey({ name, role }: Credited): string {
  return `${name.toLowerCase()}\n${role}`;
}

function planChapters({ chapters }: ItemDraft, known?: KnownItem): ItemPlan['chapters'] {
  if (chapters === undefined) return undefined;
  const isSame = formatChaptersJson(chapters) === formatChaptersJson(known?.chapters ?? []);
  return isSame ? undefined : chapters;
}

function isSameSource({ source }: ItemDraft, known: KnownItem): boolean {
  return (
    source.guid === known.source.guid &&
    source.enclosureUrl === known.source.enclosureUrl &&
    source.guidSha256 === known.source.guidSha256 &&
    source.enclosureSha256 === known.source.enclosureSha256
  );
}

function otherDifferences(plan: Omit<ItemPlan, 'differences'>): FieldDifference[] {
  const { known, credits, chapters, audio, publication } = plan;
  const differences: FieldDifference[] = [];
  const add = (field: string, from: unknown, to: unknown) => differences.push({ field, from, to });
  if (credits !== undefined) add('people', namesOf(known?.credits ?? []), namesOf(credits));
  if (chapters !== undefined) add('chapters', known?.chapters?.length ?? 0, chapters.length);
  if (audio.difference !== undefined) differences.push(audio.difference);
  // What an item was called elsewhere is shown to nobody.
  else if (plan.hasNewSource) add('source', null, null);
  if (publication !== undefined)
    add('published_at', known?.publishedAt ?? null, publication.at ?? null);
  return differences;
}

function namesOf(people: readonly { readonly name: string }[]): string {
  return people.map(({ name }) => name).join(', ');
}

/** The address without what may be a token. */
function describeAudio(address: string | null, isCopy: boolean): string {
  const url = URL.parse(address ?? '');
  const place = url === null ? 'audio of ours' : `${url.origin}${url.pathname}`;
  return isCopy ? `a copy of ${place}` : place;
}
