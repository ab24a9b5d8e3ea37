import type { Context } from '../../foundation/context.ts';
import {
  findTranscript,
  formatChaptersJson,
  formatTranscriptHtml,
  formatVtt,
} from '../../publishing/transcripts/index.ts';
import type { ExportedEpisode } from './exported-episodes.sql.ts';

/** A file of an export. */
export interface ExportEntry {
  /** ASCII, with `/` between folders. */
  readonly path: string;
  readonly modifiedAt: Date;
  readonly content: ExportContent;
}

export type ExportContent =
  | { readonly kind: 'data'; readonly value: object }
  | { readonly kind: 'text'; readonly pieces: Iterable<string> | AsyncIterable<Buffer> }
  /** A file of the store. */
  | { readonly kind: 'blob'; readonly key: string; readonly sizeBytes: number };

/** The files of one episode to be read, in a folder that has its slug as name. */
export async function* listEpisodeFiles(
  ctx: Context,
  episode: ExportedEpisode,
): AsyncGenerator<ExportEntry> {
  const file = (name: string, content: ExportContent): ExportEntry => {
    return { path: `episodes/${episode.slug}/${name}`, modifiedAt: episode.updatedAt, content };
  };
  const text = (name: string, ...pieces: string[]) => file(name, { kind: 'text', pieces });
  const { chapters, audio, showNotesHtml, transcriptLanguage, furtherLanguages, ...facts } =
    episode;
  yield file('episode.json', {
    kind: 'data',
    value: { ...facts, transcriptLanguage, furtherLanguages, audio: describeAudio(audio) },
  });
  if (showNotesHtml !== null) yield text('show-notes.html', showNotesHtml);
  if (chapters !== null) yield text('chapters.json', formatChaptersJson(chapters));
  const languages = transcriptLanguage === null ? [] : [undefined, ...furtherLanguages];
  for (const language of languages) {
    const written = await writeTranscript(ctx, episode.id, language);
    if (written !== undefined) yield text(...written);
  }
}

/**
 * The name and the text of a transcript's file. Only they are in memory while a client reads the file: the
 * segments have several times their size.
 */
async function writeTranscript(
  ctx: Context,
  episodeId: string,
  language: string | undefined,
): Promise<[name: string, text: string] | undefined> {
  const transcript = await findTranscript(ctx, episodeId, language);
  if (transcript === undefined) return undefined;
  const name = language === undefined ? 'transcript' : `transcript.${language}`;
  const [end, format] = transcript.hasTimes
    ? (['vtt', formatVtt] as const)
    : (['html', formatTranscriptHtml] as const);
  return [`${name}.${end}`, await format(transcript.segments, transcript.language)];
}

/** The address of foreign audio stays private, as everywhere: it may contain a secret. */
function describeAudio(audio: ExportedEpisode['audio']): object | null {
  if (audio === null) return null;
  const { blobKey, extension, ...facts } = audio;
  return { ...facts, file: blobKey === null ? null : `audio.${extension}` };
}
