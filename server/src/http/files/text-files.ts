import Type from 'typebox';
import { findPodcastOfEpisode, type Show } from '../../domain/catalogue/index.ts';
import { notFound } from '../../domain/errors.ts';
import { findWaveform, type Waveform } from '../../domain/media/index.ts';
import {
  findChapters,
  findPublishedTranscript,
  formatChaptersJson,
  formatSrt,
  formatTranscriptJson,
  formatVtt,
} from '../../domain/transcripts/index.ts';
import { isUuid } from '../../lib/uuid.ts';
import { cachedText } from '../cached.ts';
import { defineRoute } from '../route.ts';
import { jsonType } from '../send.ts';
import type { Web } from '../web.ts';

const formats = {
  vtt: { contentType: 'text/vtt; charset=utf-8', write: formatVtt },
  srt: { contentType: 'application/x-subrip; charset=utf-8', write: formatSrt },
  json: { contentType: 'application/json; charset=utf-8', write: formatTranscriptJson },
} as const;

/** `/transcripts/{episode}.vtt`, `.srt` and `.json`, where the episode publishes its transcript. */
export const transcriptRoute = defineRoute({
  method: 'GET',
  path: '/transcripts/:file',
  access: 'public',
  params: Type.Object({ file: Type.String() }),
  async handle(web, { params }) {
    const [id = '', extension = ''] = params.file.split('.', 2);
    const format = Object.hasOwn(formats, extension)
      ? formats[extension as keyof typeof formats]
      : undefined;
    if (format === undefined) throw notFound('transcript');
    const show = await getShowOf(web, id, 'transcript');
    return cachedText(web, show, `transcript ${params.file}`, format.contentType, async () => {
      const transcript = await findPublishedTranscript(web.ctx, id);
      if (transcript === undefined) throw notFound('transcript');
      return format.write(transcript.segments, transcript.language);
    });
  },
});

/** `/chapters/{episode}.json`: Podcasting 2.0 JSON chapters. */
export const chaptersRoute = defineRoute({
  method: 'GET',
  path: '/chapters/:file',
  access: 'public',
  params: Type.Object({ file: Type.String() }),
  async handle(web, { params }) {
    const [id = '', extension] = params.file.split('.', 2);
    if (extension !== 'json') throw notFound('chapter file');
    const show = await getShowOf(web, id, 'chapter file');
    const type = 'application/json+chapters; charset=utf-8';
    return cachedText(web, show, `chapters ${id}`, type, async () => {
      const chapters = await findChapters(web.ctx, id);
      if (chapters === undefined) throw notFound('chapter file');
      return formatChaptersJson(chapters);
    });
  },
});

/** `/waveforms/{episode}.json`: how loud its audio is from beginning to end. */
export const waveformRoute = defineRoute({
  method: 'GET',
  path: '/waveforms/:file',
  access: 'public',
  params: Type.Object({ file: Type.String() }),
  async handle(web, { params }) {
    const [id = '', extension] = params.file.split('.', 2);
    if (extension !== 'json') throw notFound('waveform');
    const show = await getShowOf(web, id, 'waveform');
    return cachedText(web, show, `waveform ${id}`, jsonType, async () => {
      const waveform = await findWaveform(web.ctx, id);
      if (waveform === undefined) throw notFound('waveform');
      return formatWaveform(waveform);
    });
  },
});

function formatWaveform({ peaks, durationMs }: Waveform): string {
  return JSON.stringify({ version: 1, duration_seconds: durationMs / 1000, peaks: [...peaks] });
}

async function getShowOf(web: Web, episodeId: string, what: string): Promise<Show> {
  const podcastId = isUuid(episodeId) && (await findPodcastOfEpisode(web.ctx, episodeId));
  if (!podcastId) throw notFound(what);
  return web.shows.get(podcastId, 'file');
}
