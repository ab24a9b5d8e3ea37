import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import type { Context } from '../../domain/foundation/context.ts';
import { notFound } from '../../domain/foundation/errors.ts';
import { findPodcastOfEpisode, type PublicPodcast } from '../../domain/public/catalogue/index.ts';
import { findWaveform } from '../../domain/publishing/audio/index.ts';
import {
  findChapters,
  findPublishedTranscript,
  formatChaptersJson,
  formatSrt,
  formatTranscriptHtml,
  formatTranscriptJson,
  formatVtt,
  measurePublishedTranscript,
} from '../../domain/publishing/transcripts/index.ts';
import { cachedText } from '../cache/cached.ts';
import type { HttpContext } from '../http-context.ts';
import type { Build } from '../limits/large-builds.ts';
import { jsonType } from '../responses/send.ts';
import { withTrainingHeaders } from '../responses/training-headers.ts';
import { clientLeaves } from '../responses/while-awaited.ts';
import { defineRoute, type RouteResponse } from '../route.ts';
import { type FileName, tryParseFileName, tryParseFileNameInLanguage } from './file-name.ts';

const timed = true;
const chaptersType = 'application/json+chapters; charset=utf-8';
const formats = {
  vtt: { contentType: 'text/vtt; charset=utf-8', write: formatVtt, timed },
  srt: { contentType: 'application/x-subrip; charset=utf-8', write: formatSrt, timed },
  json: { contentType: 'application/json; charset=utf-8', write: formatTranscriptJson, timed },
  html: { contentType: 'text/html; charset=utf-8', write: formatTranscriptHtml, timed: false },
} as const;

const formatNames = ['vtt', 'srt', 'json', 'html'] as const;

/**
 * `/transcripts/{episode}.vtt`, `.srt` and `.json`, if the episode publishes its transcript, or
 * `.html` if that has no times; other languages at `/transcripts/{episode}.{language}.vtt` and so on.
 */
export const transcriptRoute = defineRoute({
  method: 'GET',
  path: '/transcripts/:file',
  access: 'public',
  params: Type.Object({ file: Type.String() }),
  async handle(http, { params: { file }, reply }) {
    const further = tryParseFileNameInLanguage(file, formatNames);
    const { id, extension } = further ?? parseFile(file, formatNames, 'transcript');
    const language = further?.language;
    const show = await getPodcastOf(http, id, 'transcript');
    const key = `transcript ${id} ${language ?? ''} ${extension}`;
    const write = (build: Build) => writeTranscript(http.ctx, build, id, extension, language);
    const { contentType } = formats[extension];
    return cachedFile(http, show, { id, what: 'transcript', key, contentType, write }, reply);
  },
});

/** `/chapters/{episode}.json`: Podcasting 2.0 JSON chapters. */
export const chaptersRoute = defineRoute({
  method: 'GET',
  path: '/chapters/:file',
  access: 'public',
  params: Type.Object({ file: Type.String() }),
  async handle(http, { params, reply }) {
    const what = 'chapter file';
    const { id } = parseFile(params.file, ['json'], what);
    const show = await getPodcastOf(http, id, what);
    const write = () => writeChapters(http.ctx, id);
    const file = { id, what, key: `chapters ${id}`, contentType: chaptersType, write };
    return cachedFile(http, show, file, reply);
  },
});

/** `/waveforms/{episode}.json`: the loudness of the audio over time. */
export const waveformRoute = defineRoute({
  method: 'GET',
  path: '/waveforms/:file',
  access: 'public',
  params: Type.Object({ file: Type.String() }),
  async handle(http, { params, reply }) {
    const what = 'waveform';
    const { id } = parseFile(params.file, ['json'], what);
    const show = await getPodcastOf(http, id, what);
    const write = () => writeWaveform(http.ctx, id);
    const file = { id, what, key: `waveform ${id}`, contentType: jsonType, write };
    return cachedFile(http, show, file, reply);
  },
});

interface TextFile {
  /** Of its episode. */
  readonly id: string;
  readonly what: string;
  readonly key: string;
  readonly contentType: string;
  readonly write: (build: Build) => Promise<string>;
}

function cachedFile(
  http: HttpContext,
  show: PublicPodcast,
  { id, what, key, contentType, write }: TextFile,
  reply: FastifyReply,
): Promise<RouteResponse> {
  const lasting = withTrainingHeaders({}, show);
  const compute = async (build: Build) => {
    // It was public before the show was read. Only changes since then keep the file out of the cache.
    if ((await findPodcastOfEpisode(http.ctx, id)) === undefined) throw notFound(what);
    return await write(build);
  };
  return cachedText(http, show, key, contentType, compute, clientLeaves(reply), { lasting });
}

/**
 * The published transcript; not_found if the format says times and it has none, or the reverse. A large
 * one is read in the turn of `build`.
 */
export async function writeTranscript(
  ctx: Context,
  build: Build,
  episodeId: string,
  extension: keyof typeof formats,
  language?: string,
): Promise<string> {
  const { write, timed: hasTimes } = formats[extension];
  // Refused before a large one is read: anybody may ask for any.
  const measured = await measurePublishedTranscript(ctx, episodeId, language);
  if (measured?.hasTimes !== hasTimes) throw notFound('transcript');
  await build.grow(measured.bytes, 0);
  const transcript = await findPublishedTranscript(ctx, episodeId, language);
  if (transcript?.hasTimes !== hasTimes) throw notFound('transcript');
  return write(transcript.segments, transcript.language);
}

export async function writeChapters(ctx: Context, episodeId: string): Promise<string> {
  const chapters = await findChapters(ctx, episodeId);
  if (chapters === undefined) throw notFound('chapter file');
  return formatChaptersJson(chapters);
}

export async function writeWaveform(ctx: Context, episodeId: string): Promise<string> {
  const waveform = await findWaveform(ctx, episodeId);
  if (waveform === undefined) throw notFound('waveform');
  const { peaks, durationMs } = waveform;
  return JSON.stringify({ version: 1, duration_seconds: durationMs / 1000, peaks: [...peaks] });
}

function parseFile<E extends string>(
  segment: string,
  extensions: readonly E[],
  what: string,
): FileName<E> {
  const file = tryParseFileName(segment, extensions);
  if (file === undefined) throw notFound(what);
  return file;
}

async function getPodcastOf(
  http: HttpContext,
  episodeId: string,
  what: string,
): Promise<PublicPodcast> {
  const podcastId = await findPodcastOfEpisode(http.ctx, episodeId);
  if (podcastId === undefined) throw notFound(what);
  return http.podcasts.get(podcastId, 'file', what);
}
