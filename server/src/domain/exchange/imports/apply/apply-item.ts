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
import { findOrAddPerson, type Person, setCredits } from '../../../publishing/people/index.ts';
import { setChapters } from '../../../publishing/transcripts/index.ts';
import type { ImportedPeople } from '../import-run.ts';
import { mergeImported, purgeDeletion, selectKnownItem } from '../match/known-identities.sql.ts';
import { type ItemPlan, importedFrom } from '../plan/plan-item.ts';
import type { Publication } from '../plan/plan-publication.ts';
import { tryPublicAddress } from '../plan/podcast-fields.ts';
import type { ParsedPerson } from '../read/feed/parsed-feed.ts';

const longestPersonLink = 2000;

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
  if (plan.credits !== undefined) await credit(tx, podcastId, episodeId, plan.credits, people);
  if (plan.chapters !== undefined) await setChapters(tx, episodeId, plan.chapters);
  if (plan.known !== undefined) await publishOrSchedule(tx, episodeId, plan.publication);
  if (deletedId !== undefined) await purgeDeletion(tx.db, podcastId, deletedId);
  await recordImportedValues(tx, episodeId, plan);
  return episodeId;
}

/** Records what was imported, so that a later import can detect changes made here. */
async function recordImportedValues(tx: Context, episodeId: string, plan: ItemPlan): Promise<void> {
  const made = plan.known === undefined ? await selectKnownItem(tx.db, episodeId) : undefined;
  const values = { ...(made && importedFrom(made)), ...plan.imported };
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

async function credit(
  tx: Context,
  podcastId: string,
  episodeId: string,
  credited: readonly ParsedPerson[],
  people: ImportedPeople,
): Promise<void> {
  const credits = [];
  for (const named of credited) {
    const { role, group } = named;
    const person = await findPerson(tx, podcastId, named, { roster: false, people });
    credits.push({ personId: person.id, role, group });
  }
  await setCredits(tx, episodeId, credits);
}

/** The podcast's person with that name, created if missing. */
export async function findPerson(
  ctx: Context,
  podcastId: string,
  { name, role, group, href }: ParsedPerson,
  { roster, people }: { readonly roster: boolean; readonly people: ImportedPeople },
): Promise<Person> {
  const isLink = href !== undefined && href.length <= longestPersonLink && !/\s/.test(href);
  const wanted = isLink && !people.wasImported('link', name);
  const linkUrl = wanted ? tryPublicAddress(href) : undefined;
  const person = await findOrAddPerson(ctx, {
    podcastId,
    name,
    role,
    group,
    linkUrl: linkUrl ?? null,
    roster,
  });
  if (linkUrl != null && person.linkUrl === linkUrl) people.note('link', name);
  return person;
}
