import fc from 'fast-check';
import { cutOffPodcastKeys } from '../../src/domain/access/keys/index.ts';
import { changeShows } from '../../src/domain/exchange/sites/index.ts';
import { setPlan, type User } from '../../src/domain/foundation/accounts/index.ts';
import type { Context } from '../../src/domain/foundation/context.ts';
import { DomainError } from '../../src/domain/foundation/errors.ts';
import { attachExternalAudio, removeAudio } from '../../src/domain/publishing/audio/index.ts';
import {
  archiveEpisode,
  createEpisode,
  deleteEpisode,
  publishEpisode,
  scheduleEpisode,
  unpublishEpisode,
  updateEpisode,
} from '../../src/domain/publishing/episodes/index.ts';
import { setEpisodeArtwork, setPodcastArtwork } from '../../src/domain/publishing/images/index.ts';
import { setCredits, setPeople } from '../../src/domain/publishing/people/index.ts';
import {
  activatePodcast,
  addMember,
  changeMember,
  pausePodcast,
  removeMember,
  resumePodcast,
  setTeamKeys,
  suspendPodcast,
  updatePodcast,
} from '../../src/domain/publishing/podcasts/index.ts';
import { removeTranscript, setTranscript } from '../../src/domain/publishing/transcripts/index.ts';
import { deletePodcast } from '../../src/domain/service/shows/index.ts';
import { newId } from '../../src/lib/uuid.ts';
import { isSqlError } from '../../src/platform/database/sql-errors.ts';

/** The objects that changes work on. */
export interface Stage {
  /** Owns the first shows. */
  readonly ana: User;
  /** Administers these shows, and owns the last one. */
  readonly bo: User;
  readonly shows: readonly StagedShow[];
  readonly sites: readonly { readonly siteId: string; readonly podcastIds: readonly string[] }[];
}

export interface StagedShow {
  readonly id: string;
  readonly owner: User;
  /** Includes deleted episodes. */
  readonly episodeIds: string[];
  readonly personIds: readonly string[];
  readonly imageIds: readonly string[];
}

export interface RandomChange {
  readonly name: keyof typeof episodeChanges | keyof typeof otherChanges;
  readonly show: number;
  readonly episode: number;
  /** Chooses among the few values that each change knows. */
  readonly value: number;
}

interface OnEpisode {
  readonly id: string;
  readonly show: StagedShow;
  readonly value: number;
}

const episodeChanges = {
  retitle: (ctx, { id, value }) => updateEpisode(ctx, id, { title: `Title ${value}` }),
  describe: (ctx, { id, value }) =>
    updateEpisode(ctx, id, {
      showNotesHtml: `<p>${value}</p>`,
      season: value,
      explicit: value > 1,
    }),
  // Changes a field that posts do not show.
  touch: (ctx, { id, value }) =>
    updateEpisode(ctx, id, { itunesBlock: value > 1, linkUrl: `https://x.example/${value}` }),
  rename: (ctx, { id, value }) => updateEpisode(ctx, id, { slug: `slug-${id.slice(-6)}-${value}` }),
  schedule: (ctx, { id, value }) =>
    scheduleEpisode(ctx, id, new Date(ctx.clock.now().getTime() + (value - 1) * 600_000)),
  publish: (ctx, { id }) => publishEpisode(ctx, id),
  unpublish: (ctx, { id }) => unpublishEpisode(ctx, id),
  archive: (ctx, { id }) => archiveEpisode(ctx, id),
  delete: (ctx, { id }) => deleteEpisode(ctx, id),
  credit: (ctx, { id, show, value }) =>
    setCredits(
      ctx,
      id,
      show.personIds.slice(0, value).map((personId) => ({ personId })),
    ),
  attachAudio: (ctx, { id, value }) =>
    attachExternalAudio(ctx, id, {
      url: `https://cdn.example/${value}.mp3`,
      ...{ declaredType: null, sizeBytes: 1_000 * value, durationMs: 700 * value },
    }),
  removeAudio: (ctx, { id }) => removeAudio(ctx, id),
  setEpisodeArtwork: (ctx, { id, show, value }) =>
    setEpisodeArtwork(ctx, id, show.imageIds[value] ?? null),
  transcribe: (ctx, { id, value }) =>
    setTranscript(ctx, id, {
      ...{ language: value > 1 ? 'de' : 'en', wordCount: 1, durationMs: 1 },
      segments: [{ startMs: 0, endMs: 1, speaker: '', text: 'Word' }],
    }),
  removeTranscript: (ctx, { id }) => removeTranscript(ctx, id),
  showTranscript: (ctx, { id, value }) => updateEpisode(ctx, id, { publishTranscript: value > 0 }),
} satisfies Record<string, (ctx: Context, of: OnEpisode) => Promise<unknown>>;

interface OnShow {
  readonly show: StagedShow;
  readonly stage: Stage;
  readonly value: number;
}

const otherChanges = {
  create: async (ctx, { show, value }) => {
    const status = value === 0 ? 'draft' : 'published';
    const slug = `new-${newId()}`.slice(0, 40);
    const publishedAt = status === 'published' ? { publishedAt: ctx.clock.now() } : {};
    const made = {
      podcastId: show.id,
      slug,
      title: `New ${value}`,
      status,
      ...publishedAt,
    } as const;
    show.episodeIds.push((await createEpisode(ctx, made)).id);
  },
  renameShow: (ctx, { show, value }) =>
    updatePodcast(ctx, show.id, { slug: `show-${show.id.slice(-8)}-${value}` }),
  editShow: (ctx, { show, value }) => updatePodcast(ctx, show.id, { description: `Text ${value}` }),
  setShowArtwork: (ctx, { show, value }) =>
    setPodcastArtwork(ctx, show.id, show.imageIds[value] ?? null),
  setRoster: (ctx, { show, value }) =>
    setPeople(
      ctx,
      show.id,
      ['Bo', 'Cy', 'Di'].slice(0, value).map((name) => ({ name })),
    ),
  photograph: (ctx, { show, value }) =>
    setPeople(ctx, show.id, [
      { name: 'Bo' },
      { name: 'Cy', role: value > 1 ? 'guest' : 'host', photoId: show.imageIds[value] ?? null },
    ]),
  pause: (ctx, { show }) => pausePodcast(ctx, show.id),
  suspend: (ctx, { show }) => suspendPodcast(ctx, show.id),
  resume: (ctx, { show }) => resumePodcast(ctx, show.id),
  activate: (ctx, { show }) => activatePodcast(ctx, show.id),
  lapse: (ctx, { show }) => setPlanState(ctx, show, 'lapsed'),
  pay: (ctx, { show }) => setPlanState(ctx, show, 'active'),
  setTeamKeys: (ctx, { show, value }) =>
    setTeamKeys(ctx, { podcastId: show.id, allowed: value > 0 }),
  leave: (ctx, { show, stage }) => removeMember(ctx, { podcastId: show.id, userId: stage.bo.id }),
  join: (ctx, { show, stage }) =>
    addMember(ctx, { podcastId: show.id, userId: stage.bo.id, role: 'admin' }),
  changeRole: (ctx, { show, stage, value }) => {
    const role = (['admin', 'editor', 'cohost', 'cohost'] as const)[value] ?? 'admin';
    return changeMember(ctx, { podcastId: show.id, userId: stage.bo.id, role });
  },
  disconnectShow: (ctx, { show, stage, value }) => {
    const site = stage.sites[value % stage.sites.length];
    const left = site?.podcastIds.filter((id) => id !== show.id) ?? [];
    return changeShows(ctx, site?.siteId ?? '', left);
  },
  reconnectShows: (ctx, { stage, value }) => {
    const site = stage.sites[value % stage.sites.length];
    return changeShows(ctx, site?.siteId ?? '', site?.podcastIds ?? []);
  },
  cutOff: (ctx, { show }) => cutOffPodcastKeys(ctx, show.id),
  deleteShow: (ctx, { show }) => deletePodcast(ctx, show.id),
} satisfies Record<string, (ctx: Context, of: OnShow) => Promise<unknown>>;

function setPlanState(ctx: Context, { owner }: StagedShow, planState: 'active' | 'lapsed') {
  return setPlan(ctx, { email: owner.email, plan: 'enterprise', planState });
}

const episodeNames = Object.keys(episodeChanges) as (keyof typeof episodeChanges)[];
/** Changes that cannot be undone are rare, so that enough remains to check. */
const final = ['cutOff', 'deleteShow'] as const;
const otherNames = (Object.keys(otherChanges) as (keyof typeof otherChanges)[]).filter(
  (name) => !final.some((rare) => rare === name),
);

export const randomChange: fc.Arbitrary<RandomChange> = fc.record({
  name: fc.oneof(
    { weight: 30, arbitrary: fc.constantFrom(...episodeNames) },
    { weight: 25, arbitrary: fc.constantFrom(...otherNames) },
    { weight: 8, arbitrary: fc.constantFrom('pay' as const, 'resume' as const) },
    { weight: 1, arbitrary: fc.constantFrom(...final) },
  ),
  show: fc.nat({ max: 2 }),
  episode: fc.nat({ max: 7 }),
  value: fc.nat({ max: 3 }),
});

/** Makes a change. A refused change has no effect. */
export async function applyChange(ctx: Context, stage: Stage, change: RandomChange): Promise<void> {
  const { name, value } = change;
  const show = stage.shows[change.show % stage.shows.length];
  if (show === undefined) return;
  try {
    if (name in episodeChanges) {
      const id = show.episodeIds[change.episode % show.episodeIds.length] ?? '';
      await episodeChanges[name as keyof typeof episodeChanges](ctx, { id, show, value });
    } else {
      await otherChanges[name as keyof typeof otherChanges](ctx, { show, stage, value });
    }
  } catch (error) {
    // A constraint: the episode was deleted at the same time.
    const isRefused = error instanceof DomainError || (isSqlError(error) && /^23/.test(error.code));
    if (!isRefused) throw error;
  }
}
