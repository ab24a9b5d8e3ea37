import type { Static } from 'typebox';
import type { Chapter } from '../../domain/publishing/transcripts/index.ts';
import type { Chapter as ChapterSchema } from './schemas/episode-parts.ts';

export function presentChapter(chapter: Chapter): Static<typeof ChapterSchema> {
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
