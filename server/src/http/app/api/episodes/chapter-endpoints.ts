import type { Static } from 'typebox';
import Type from 'typebox';
import type { Context } from '../../../../domain/foundation/context.ts';
import { editChapters, readFileChapters } from '../../../../domain/publishing/audio/index.ts';
import {
  checkChapters,
  type RawChapter,
  readChapters,
  type Chapter as StoredChapter,
} from '../../../../domain/publishing/transcripts/index.ts';
import type { Route } from '../../../route.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { closed, named, nullable } from '../../field-schemas.ts';
import { ok, revised } from '../../response.ts';
import { readExpectation } from '../../revision.ts';

const text = Type.String();
const revision = Type.Integer({ description: 'The revision of the episode.' });

const chapter = {
  start_seconds: Type.Number(),
  end_seconds: Type.Optional(nullable(Type.Number())),
  title: Type.Optional(nullable(text)),
  image_url: Type.Optional(nullable(text)),
  link_url: Type.Optional(nullable(text)),
  hidden: Type.Optional(Type.Boolean()),
};

export const Chapter = Type.Object({
  start_seconds: Type.Number(),
  end_seconds: nullable(Type.Number()),
  title: nullable(text),
  image_url: nullable(text),
  link_url: nullable(text),
  hidden: Type.Boolean(),
});

/** The chapters in the tags of the audio file. */
const FileChapters = named('FileChapters', {
  chapters: Type.Array(
    Type.Object({
      ...Chapter.properties,
      has_image: Type.Boolean({ description: 'The file contains a picture, which stays in it.' }),
    }),
  ),
});

const EpisodeChapters = named('EpisodeChapters', {
  chapters: Type.Array(Chapter),
  revision,
});

const SetEpisodeChapters = closed({ chapters: Type.Array(closed(chapter)) });

export function presentChapter(chapter: StoredChapter): Static<typeof Chapter> {
  const { startMs, endMs, title, imageUrl, linkUrl, hidden } = chapter;
  return {
    start_seconds: startMs / 1000,
    end_seconds: endMs === undefined ? null : endMs / 1000,
    title: title ?? null,
    image_url: imageUrl ?? null,
    link_url: linkUrl ?? null,
    hidden: hidden === true,
  };
}

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
