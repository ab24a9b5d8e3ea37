import { disambiguateSlug } from '../../lib/slug.ts';
import type { Context } from '../context.ts';
import {
  createEpisode,
  publishEpisode,
  scheduleEpisode,
  updateEpisode,
} from '../episodes/index.ts';
import { attachExternalAudio } from '../media/index.ts';
import { findOrAddPerson, type Person, setCredits } from '../people/index.ts';
import { setChapters } from '../transcripts/index.ts';
import type { ParsedPerson } from './feed/parsed-feed.ts';
import type { ItemPlan } from './plan-item.ts';
import type { Publication } from './plan-publication.ts';
import { tryPublicAddress } from './podcast-fields.ts';

const longestPersonLink = 2000;

/** Carries a plan out, in the caller's transaction. Returns the episode's id. */
export async function applyItem(
  tx: Context,
  podcastId: string,
  plan: ItemPlan,
  slugs: SlugCounter,
): Promise<string> {
  const slug = slugs.next(plan.draft.slug);
  const episodeId =
    plan.known === undefined
      ? await makeEpisode(tx, podcastId, plan, slug)
      : await changeEpisode(tx, plan.known.episodeId, plan);
  if (plan.audio.refer !== undefined) await attachExternalAudio(tx, episodeId, plan.audio.refer);
  if (plan.credits !== undefined) await credit(tx, podcastId, episodeId, plan.credits);
  if (plan.chapters !== undefined) await setChapters(tx, episodeId, plan.chapters);
  if (plan.known !== undefined) await comeOut(tx, episodeId, plan.publication);
  return episodeId;
}

/** A show may call all its episodes "News": each gets a number without trying those before it. */
export class SlugCounter {
  readonly #uses = new Map<string, number>();

  next(slug: string): string {
    const use = (this.#uses.get(slug) ?? 0) + 1;
    this.#uses.set(slug, use);
    return use === 1 ? slug : disambiguateSlug(slug, use);
  }
}

/** Publishes or schedules; to do it again, or with nothing to do, is no change. */
export async function comeOut(
  ctx: Context,
  episodeId: string,
  publication: Publication | undefined,
): Promise<void> {
  if (publication?.kind === 'schedule') await scheduleEpisode(ctx, episodeId, publication.at);
  if (publication?.kind !== 'publish') return;
  await publishEpisode(ctx, episodeId, { publishedAt: publication.at });
}

async function makeEpisode(
  tx: Context,
  podcastId: string,
  { draft, publication }: ItemPlan,
  slug: string,
): Promise<string> {
  const { id } = await createEpisode(tx, {
    ...draft.fields,
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
    await updateEpisode(tx, episodeId, { ...fields, ...source });
  }
  return episodeId;
}

async function credit(
  tx: Context,
  podcastId: string,
  episodeId: string,
  people: readonly ParsedPerson[],
): Promise<void> {
  const credits = [];
  for (const named of people) {
    const { role, group } = named;
    const person = await findPerson(tx, podcastId, named, { roster: false });
    credits.push({ personId: person.id, role, group });
  }
  await setCredits(tx, episodeId, credits);
}

/** The podcast's person of that name, made where there is none. */
export function findPerson(
  ctx: Context,
  podcastId: string,
  { name, role, group, href }: ParsedPerson,
  options: { readonly roster: boolean },
): Promise<Person> {
  const isLink = href !== undefined && href.length <= longestPersonLink && !/\s/.test(href);
  const linkUrl = isLink ? tryPublicAddress(href) : undefined;
  return findOrAddPerson(ctx, {
    podcastId,
    name,
    role,
    group,
    linkUrl: linkUrl ?? null,
    ...options,
  });
}
