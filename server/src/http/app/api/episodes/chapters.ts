import type { Static } from 'typebox';
import type { Context } from '../../../../domain/context.ts';
import { editChapters, readFileChapters } from '../../../../domain/media/index.ts';
import {
  checkChapters,
  type RawChapter,
  readChapters,
} from '../../../../domain/transcripts/index.ts';
import { defineRoute, type Route } from '../../../route.ts';
import { answerData } from '../../answers.ts';
import { presentChapter } from '../../present-chapter.ts';
import { forSignedIn } from '../../requester.ts';
import { ok } from '../../responses.ts';
import { answerRevision, readExpectation } from '../../revision.ts';
import { EpisodeChapters, FileChapters, SetEpisodeChapters } from '../../schemas/episode-parts.ts';
import { ids } from '../../schemas/fields.ts';

const path = '/app/api/episodes/:episodeId/chapters';
const params = ids('episodeId');
const responses = ok(EpisodeChapters);
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
    // An empty field of a form is no address.
    imageUrl: image_url || undefined,
    linkUrl: link_url || undefined,
    hidden,
  };
}

async function answer(ctx: Context, episodeId: string) {
  const { chapters, revision } = await readChapters(ctx, episodeId);
  return answerRevision({ chapters: chapters.map(presentChapter), revision });
}

const readRoute = defineRoute({
  ...forSignedIn,
  method: 'GET',
  path,
  params,
  operation: { id: 'getEpisodeChapters', summary: 'The chapters of an episode', responses },
  handle: (_http, { caller: { ctx }, params: { episodeId } }) => answer(ctx, episodeId),
});

const setRoute = defineRoute({
  ...forSignedIn,
  method: 'PUT',
  path,
  params,
  body: { json: SetEpisodeChapters, maxBytes },
  operation: {
    id: 'setEpisodeChapters',
    summary: 'Sets the chapters of an episode, in any order; an empty list removes them',
    responses,
  },
  async check(_http, { body, refuse }) {
    const chapters = (body.chapters ?? []).map(read);
    refuse(...(await checkChapters(chapters)));
    return chapters;
  },
  async handle(_http, { caller: { ctx }, params: { episodeId }, request, checked: chapters }) {
    await editChapters(ctx, episodeId, chapters, readExpectation(request));
    return answer(ctx, episodeId);
  },
});

const fileRoute = defineRoute({
  ...forSignedIn,
  method: 'GET',
  path: '/app/api/episodes/:episodeId/audio/file-chapters',
  params,
  operation: {
    id: 'getFileChapters',
    summary: 'The chapters in the tags of the audio file',
    responses: ok(FileChapters),
  },
  async handle(_http, { caller: { ctx }, params: { episodeId } }) {
    const found = await readFileChapters(ctx, episodeId);
    const chapters = found.map(({ hasImage, ...chapter }) => ({
      ...presentChapter(chapter),
      has_image: hasImage,
    }));
    return answerData({ chapters });
  },
});

export const episodeChapterRoutes: readonly Route[] = [readRoute, setRoute, fileRoute];
