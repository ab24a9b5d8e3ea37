import Type from 'typebox';
import { findPodcastOfEpisode, type PublicPodcast } from '../../domain/catalogue/index.ts';
import { notFound } from '../../domain/errors.ts';
import { findWaveform, type Waveform } from '../../domain/media/index.ts';
import {
  findChapters,
  findPublishedTranscript,
  formatChaptersJson,
  formatSrt,
  formatTranscriptHtml,
  formatTranscriptJson,
  formatVtt,
} from '../../domain/transcripts/index.ts';
import { cachedText } from '../cached.ts';
import type { HttpContext } from '../http-context.ts';
import { defineRoute } from '../route.ts';
import { jsonType } from '../send.ts';
import { type FileName, tryParseFileName, tryParseFileNameInLanguage } from './file-name.ts';

const timed = true;
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
  async handle(http, { params: { file } }) {
    const further = tryParseFileNameInLanguage(file, formatNames);
    const { id, extension } = further ?? parseFile(file, formatNames, 'transcript');
    const language = further?.language;
    const { contentType, write, timed: hasTimes } = formats[extension];
    const show = await getPodcastOf(http, id, 'transcript');
    const key = `transcript ${id} ${language ?? ''} ${extension}`;
    return cachedText(http, show, key, contentType, async () => {
      const transcript = await findPublishedTranscript(http.ctx, id, language);
      if (transcript?.hasTimes !== hasTimes) throw notFound('transcript');
      return write(transcript.segments, transcript.language);
    });
  },
});

/** `/chapters/{episode}.json`: Podcasting 2.0 JSON chapters. */
export const chaptersRoute = defineRoute({
  method: 'GET',
  path: '/chapters/:file',
  access: 'public',
  params: Type.Object({ file: Type.String() }),
  async handle(http, { params }) {
    const { id } = parseFile(params.file, ['json'], 'chapter file');
    const show = await getPodcastOf(http, id, 'chapter file');
    const type = 'application/json+chapters; charset=utf-8';
    return cachedText(http, show, `chapters ${id}`, type, async () => {
      const chapters = await findChapters(http.ctx, id);
      if (chapters === undefined) throw notFound('chapter file');
      return formatChaptersJson(chapters);
    });
  },
});

/** `/waveforms/{episode}.json`: the loudness of the audio over time. */
export const waveformRoute = defineRoute({
  method: 'GET',
  path: '/waveforms/:file',
  access: 'public',
  params: Type.Object({ file: Type.String() }),
  async handle(http, { params }) {
    const { id } = parseFile(params.file, ['json'], 'waveform');
    const show = await getPodcastOf(http, id, 'waveform');
    return cachedText(http, show, `waveform ${id}`, jsonType, async () => {
      const waveform = await findWaveform(http.ctx, id);
      if (waveform === undefined) throw notFound('waveform');
      return formatWaveform(waveform);
    });
  },
});

function formatWaveform({ peaks, durationMs }: Waveform): string {
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
