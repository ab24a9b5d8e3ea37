import type { Episode, Podcast } from '../src/api/wire.ts';

/** A show as the API returns it. Fields that a test does not set have plain, complete values. */

const podcastId = '0197a3c4-1a2b-7c3d-8e4f-5a6b7c8d9e0f';

export function aPodcast(service: string, change: Partial<Podcast> = {}): Podcast {
  return {
    id: podcastId,
    slug: 'night-signals',
    guid: '917393e3-1b1e-5cef-ace4-edaa54e1f810',
    title: 'Night Signals',
    author: 'Ines Calloway',
    language: 'en',
    artwork: { url: `${service}/images/0197a3c4-7e31-7a90-b2c4-d5e6f7a8b9c0.jpg` },
    color: '#1f6f8b',
    player_theme: 'light',
    player_waveform: true,
    timezone: 'UTC',
    links: {
      listen: `${service}/listen/night-signals`,
      feed: `${service}/feeds/night-signals.xml`,
    },
    branding: { show_powered_by: true },
    ...change,
  };
}

const titles = [
  'First light over the antenna farm',
  'Dusk on the dial',
  'Whistlers, and why the low ones are late',
  'What meteors sound like',
  'The station that never signs off',
];

/** Episode `number` of the show, from 1; a higher number is newer. */
export function anEpisode(
  service: string,
  number: number,
  change: Partial<Episode> = {},
): Episode & { chapters_url: string | null } {
  const id = `0197a3c4-5d21-7b8e-9f10-${String(number).padStart(12, '0')}`;
  const slug = `episode-${number}`;
  return {
    id,
    slug,
    title: titles[number - 1] ?? `Signal number ${number}`,
    season_number: 1,
    episode_number: number,
    episode_type: 'full',
    published_at: new Date(Date.UTC(2026, 2, number, 5)).toISOString(),
    audio: {
      url: `${service}/media/${id}/${slug}.mp3`,
      duration_seconds: 60,
      waveform_url: `${service}/waveforms/${id}.json`,
    },
    artwork: { url: null },
    links: { listen: `${service}/listen/night-signals/${slug}`, embed: `${service}/ep/${id}` },
    transcript: {
      url: `${service}/transcripts/${id}.vtt`,
      content_type: 'text/vtt',
      language: 'en',
    },
    chapters_url: `${service}/chapters/${id}.json`,
    podcast: { id: podcastId, title: 'Night Signals' },
    ...change,
  };
}

export function chaptersOf(service: string) {
  return {
    version: '1.2.0',
    chapters: [
      { startTime: 0, title: 'A falling note' },
      {
        startTime: 20,
        title: 'Along the field',
        url: 'https://example.com/field',
        img: `${service}/images/0197a3c4-7e31-7a90-b2c4-d5e6f7a8b9c0.jpg`,
      },
      { startTime: 30, title: 'Hidden', toc: false },
      { startTime: 45, title: 'Why the low ones are late', url: 'javascript:alert(1)' },
    ],
  };
}

export const transcript = `WEBVTT

00:00:00.000 --> 00:00:08.000
<v Ines Calloway>At noon this dial has one station on it, and you can see its mast from here.

00:00:08.000 --> 00:00:15.000
<v Tomas Reyl>Give it seven hours &amp; a little patience.

00:00:15.000 --> 00:00:25.000
<v Ines Calloway>What swallows the far ones by day is a layer of air that only exists while the sun shines on it.

00:00:25.000 --> 00:00:30.000
<v Ines Calloway>At dusk it comes apart.

00:00:30.000 --> 00:00:45.000
<v Tomas Reyl>And above it is another that never quite does. From then on it is a mirror, and the whole continent is in it.

00:00:45.000 --> 00:00:52.000
<v Ines Calloway>Listen: that is Lisbon, and under it, if the air is kind, Tangier.

00:00:52.000 --> 00:00:58.000
<v Tomas Reyl>The air is never kind. It is only busy elsewhere.
`;

/** Resembles speech: bursts with pauses between them. */
export const waveform = {
  version: 1,
  duration_seconds: 60,
  peaks: Array.from({ length: 400 }, (_, i) =>
    Math.round(
      255 * Math.abs(Math.sin(i / 9) * Math.sin(i / 2.3)) * (0.55 + 0.45 * Math.sin(i / 37)),
    ),
  ),
};
