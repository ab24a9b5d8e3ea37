import type { Static } from 'typebox';
import type { Context } from '../../../../domain/foundation/context.ts';
import { editChapters, readFileChapters } from '../../../../domain/publishing/audio/index.ts';
import {
  checkChapters,
  type RawChapter,
  readChapters,
} from '../../../../domain/publishing/transcripts/index.ts';
import type { Route } from '../../../route.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { presentChapter } from '../../present-replacement.ts';
import { ok, revised } from '../../response.ts';
import { readExpectation } from '../../revision.ts';
import { EpisodeChapters, FileChapters, SetEpisodeChapters } from '../../schemas/episode-parts.ts';

const path = '/app/api/episodes/:episodeId';
const response = revised(EpisodeChapters);
const maxBytes = 1024 * 1024;

type Given = Static<typeof SetEpisodeChapters>['chapters'][number];

function read({
  start_seconds,
  end_seconds,
  title,
  image_url,
  link_url,
  hidden,
}: Given): RawChapter {
  return {
    startMs: start_seconds * 1000,
    endMs: end_seconds == null ? undefined : end_seconds * 1000,
    title: title ?? undefined,
    // An empty field of a form means no picture.
    imageUrl: image_url || undefined,
    linkUrl: link_url || undefined,
    hidden,
  };
}

async function readPresent(ctx: Context, episodeId: string) {
  const { chapters, revision } = await readChapters(ctx, episodeId);
  return { chapters: chapters.map(presentChapter), revision };
}

export const episodeChapterRoutes: readonly Route[] = [
  defineEndpoint(`GET ${path}/chapters`, {
    id: 'getEpisodeChapters',
    summary: 'The chapters of an episode',
    response,
    handle: ({ ctx }, { params: { episodeId } }) => readPresent(ctx, episodeId),
  }),
  defineEndpoint(`PUT ${path}/chapters`, {
    id: 'setEpisodeChapters',
    summary: 'Sets the chapters of an episode, in any order; an empty list removes them',
    body: { json: SetEpisodeChapters, maxBytes },
    response,
    async check(_http, { body, refuse }) {
      const chapters = (body.chapters ?? []).map(read);
      refuse(...(await checkChapters(chapters)));
      return chapters;
    },
    async handle({ ctx }, { params: { episodeId }, request, checked: chapters }) {
      await editChapters(ctx, episodeId, chapters, readExpectation(request));
      return readPresent(ctx, episodeId);
    },
  }),
  defineEndpoint(`GET ${path}/audio/file-chapters`, {
    id: 'getFileChapters',
    summary: 'The chapters in the tags of the audio file',
    response: ok(FileChapters),
    mayBeAbandoned: true,
    async handle({ ctx }, { params: { episodeId } }) {
      const found = await readFileChapters(ctx, episodeId);
      const chapters = found.map(({ hasImage, ...chapter }) => ({
        ...presentChapter(chapter),
        has_image: hasImage,
      }));
      return { chapters };
    },
  }),
];
