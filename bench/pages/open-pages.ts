import { updateEpisode } from '../../server/src/domain/publishing/episodes/index.ts';
import {
  setChapters,
  setTranscript,
} from '../../server/src/domain/publishing/transcripts/index.ts';
import { sanitizeShowNotes } from '../../server/src/lib/html/sanitize-show-notes.ts';
import { Random } from '../fuzz/random.ts';
import { makeNotes } from '../installation/make-notes.ts';
import { type BenchShow, openShow } from '../player/open-show.ts';
import { makeSpeech } from '../search/make-speech.ts';

export interface PublicPage {
  readonly name: string;
  readonly url: string;
  /** Search engines shall list the page of an episode, not its player alone. */
  readonly isIndexed?: false;
}

export interface PublicPages extends AsyncDisposable {
  readonly pages: readonly PublicPage[];
}

/** Pictures of chapters are at other sites. Nothing has to respond there. */
export const pictureHost = 'https://pictures.example';

const episodes = 100;
const secondsOfSentence = 4;
const notesChars = 2_000;

/** A show, and pages of its episodes with more and more on them. */
export async function openPages(dataDir: string, signal: AbortSignal): Promise<PublicPages> {
  const show = await openShow(dataDir, episodes, signal);
  const [plain, hour, hours] = show.episodes;
  if (plain === undefined || hour === undefined || hours === undefined)
    throw new Error('the show has too few episodes');
  for (const { id } of [plain, hour, hours]) {
    const showNotesHtml = sanitizeShowNotes(makeNotes(1, notesChars));
    await updateEpisode(show.app.ctx, id, { showNotesHtml, publishTranscript: true });
  }
  await addText(show, hour.id, 1);
  await addText(show, hours.id, 4);
  const listen = `${show.url}/listen/signals`;
  return {
    pages: [
      { name: `show of ${episodes} episodes`, url: listen },
      { name: 'episode', url: `${listen}/signal-1` },
      { name: 'episode, transcript of 1 h, 20 chapters', url: `${listen}/signal-2` },
      { name: 'episode, transcript of 4 h, 80 chapters', url: `${listen}/signal-3` },
      { name: 'frame', url: `${show.url}/ep/${plain.id}`, isIndexed: false },
    ],
    [Symbol.asyncDispose]: () => show[Symbol.asyncDispose](),
  };
}

async function addText({ app: { ctx } }: BenchShow, episodeId: string, hours: number) {
  const texts = makeSpeech(new Random(hours), (hours * 3600) / secondsOfSentence);
  const segments = texts.map((text, i) => ({
    startMs: i * secondsOfSentence * 1000,
    endMs: (i + 1) * secondsOfSentence * 1000,
    speaker: i % 30 < 20 ? 'Ana' : 'Bo',
    text,
  }));
  const facts = { language: 'en', wordCount: texts.length * 10, durationMs: hours * 3_600_000 };
  await setTranscript(ctx, episodeId, { ...facts, hasTimes: true, segments });
  const chapters = Array.from({ length: hours * 20 }, (_, i) => ({
    startMs: i * 180_000,
    title: `What was heard in part ${i + 1}`,
    imageUrl: `${pictureHost}/${i}.jpg`,
  }));
  await setChapters(ctx, episodeId, chapters);
}
