import { disambiguateSlug } from '../../../../lib/slug.ts';
import type { Context } from '../../../foundation/context.ts';
import { attachExternalAudio } from '../../../publishing/audio/index.ts';
import {
  confirmations,
  createEpisode,
  publishEpisode,
  scheduleEpisode,
  updateEpisode,
} from '../../../publishing/episodes/index.ts';
import { type Credit, type KnownPerson, setCredits } from '../../../publishing/people/index.ts';
import { setChapters } from '../../../publishing/transcripts/index.ts';
import type { ImportedPeople } from '../import-run.ts';
import { mergeImported, purgeDeletion, selectKnownItem } from '../match/known-identities.sql.ts';
import { hashCredits, type ItemPlan, importedFrom } from '../plan/plan-item.ts';
import type { Publication } from '../plan/plan-publication.ts';
import { tryPublicAddress } from '../plan/podcast-fields.ts';
import type { ParsedPerson } from '../read/feed/parsed-feed.ts';

/** Carries out a plan in the caller's transaction. Returns the episode's id. */
export async function applyItem(
  tx: Context,
  podcastId: string,
  plan: ItemPlan,
  {
    slugs,
    people,
    deletedId,
  }: {
    readonly slugs: SlugCounter;
    readonly people: ImportedPeople;
    readonly deletedId: string | undefined;
  },
): Promise<string> {
  const slug = slugs.next(plan.draft.slug);
  const episodeId =
    plan.known === undefined
      ? await makeEpisode(tx, podcastId, plan, slug)
      : await changeEpisode(tx, plan.known.episodeId, plan);
  if (plan.audio.refer !== undefined) await attachExternalAudio(tx, episodeId, plan.audio.refer);
  const credited = plan.credits && (await credit(tx, podcastId, episodeId, plan.credits, people));
  if (plan.chapters !== undefined) await setChapters(tx, episodeId, plan.chapters);
  if (plan.known !== undefined) await publishOrSchedule(tx, episodeId, plan.publication);
  if (deletedId !== undefined) await purgeDeletion(tx.db, podcastId, deletedId);
  await recordImportedValues(tx, episodeId, plan, credited);
  return episodeId;
}

/**
 * Records what was imported, so that a later import can detect changes made here. Of the people, only
 * those who were credited: a later import adds those who did not fit.
 */
async function recordImportedValues(
  tx: Context,
  episodeId: string,
  plan: ItemPlan,
  credited: readonly ParsedPerson[] | undefined,
): Promise<void> {
  const made = plan.known === undefined ? await selectKnownItem(tx.db, episodeId) : undefined;
  const values = {
    ...(made && importedFrom(made)),
    ...plan.imported,
    ...(credited !== undefined && { people: hashCredits(credited) }),
  };
  if (Object.keys(values).length > 0) await mergeImported(tx.db, 'episodes', episodeId, values);
}

/**
 * Numbers repeated slugs without trying all earlier numbers: a show may call every episode "News".
 */
export class SlugCounter {
  readonly #uses = new Map<string, number>();

  next(slug: string): string {
    const use = (this.#uses.get(slug) ?? 0) + 1;
    this.#uses.set(slug, use);
    return use === 1 ? slug : disambiguateSlug(slug, use);
  }
}

/** Publishes or schedules the episode; without effect if that is already done. */
export async function publishOrSchedule(
  ctx: Context,
  episodeId: string,
  publication: Publication | undefined,
): Promise<void> {
  // Whoever started the import wants here what is public at the origin.
  const confirmed = confirmations;
  if (publication?.kind === 'schedule') {
    await scheduleEpisode(ctx, episodeId, publication.at, { confirmed });
  }
  if (publication?.kind !== 'publish') return;
  await publishEpisode(ctx, episodeId, { publishedAt: publication.at, confirmed });
}

async function makeEpisode(
  tx: Context,
  podcastId: string,
  { draft, publication }: ItemPlan,
  slug: string,
): Promise<string> {
  const { id } = await createEpisode(tx, {
    ...draft.fields,
    cleanNotes: draft.notes,
    podcastId,
    slug,
    title: draft.title,
    guid: draft.guid,
    source: draft.source,
    onTakenSlug: 'number',
    ...(publication?.kind === 'schedule'
      ? { status: 'scheduled', scheduledFor: publication.at }
      : {
          status: publication?.kind === 'wait' ? 'pending_confirmation' : 'published',
          publishedAt: publication?.at,
        }),
  });
  return id;
}

async function changeEpisode(tx: Context, episodeId: string, plan: ItemPlan): Promise<string> {
  const { fields, hasNewSource, draft } = plan;
  if (Object.keys(fields).length > 0 || hasNewSource) {
    const source = hasNewSource ? { source: draft.source } : {};
    const cleanNotes = fields.showNotesHtml === undefined ? undefined : draft.notes;
    await updateEpisode(tx, episodeId, { ...fields, ...source, cleanNotes });
  }
  return episodeId;
}

/** Returns whom it has credited: everybody but those who do not fit into the show. */
async function credit(
  tx: Context,
  podcastId: string,
  episodeId: string,
  wanted: readonly ParsedPerson[],
  people: ImportedPeople,
): Promise<readonly ParsedPerson[]> {
  const credited: ParsedPerson[] = [];
  const credits: Credit[] = [];
  const found = await importPeople(tx, podcastId, wanted, { roster: false, people });
  for (const [at, named] of wanted.entries()) {
    const person = found[at];
    if (person === undefined) continue;
    const { role, group } = named;
    credited.push(named);
    credits.push({ personId: person.id, role, group });
  }
  await setCredits(tx, episodeId, credits);
  return credited;
}

/**
 * The podcast's people with these names, created if missing, in the order given; undefined for those who
 * do not fit into the show. Somebody known stays as they are if what is new does not fit.
 */
export async function importPeople(
  ctx: Context,
  podcastId: string,
  wanted: readonly ParsedPerson[],
  { roster, people }: { readonly roster: boolean; readonly people: ImportedPeople },
): Promise<(KnownPerson | undefined)[]> {
  const given = wanted.map(({ name, role, group, href }) => {
    const linkUrl = (people.wasImported('link', name) ? undefined : tryPublicAddress(href)) ?? null;
    return { name, role, group, linkUrl, roster };
  });
  const found = await people.tryAdd(ctx, podcastId, given);
  for (const [at, { name, linkUrl }] of given.entries()) {
    if (linkUrl !== null && found[at]?.linkUrl === linkUrl) people.note('link', name);
  }
  return found;
}
