import type { Static } from 'typebox';
import type { MatchedPart, ReplacementReview } from '../../domain/publishing/replacements/index.ts';
import type { Chapter, Segment } from '../../domain/publishing/transcripts/index.ts';
import { wireNames } from '../../lib/wire-names.ts';
import type { Chapter as ChapterSchema } from './schemas/episode-parts.ts';
import type { AudioReplacement } from './schemas/replacement.ts';

export function presentReplacement(
  review: ReplacementReview | undefined,
): Static<typeof AudioReplacement> | null {
  if (review === undefined) return null;
  const { id, episodeId, state, revision, contentType, sizeBytes, expiresAt } = review;
  const { before, chapters, lost } = review.chapters;
  return {
    ...wireNames({ id, episodeId, state, revision, contentType, sizeBytes, expiresAt }),
    alignable: state === 'aligned',
    old_duration_seconds: review.oldDurationMs / 1000,
    new_duration_seconds: review.durationMs / 1000,
    segments: (review.parts ?? []).map(presentPart),
    removed: review.removed.map(presentTimes),
    added: review.added.map(presentTimes),
    chapters: {
      before: before.map(presentChapter),
      after: chapters.map(presentChapter),
      lost: lost.map(presentChapter),
    },
    transcript: presentTranscript(review.transcript),
    peaks: review.peaks === null ? null : [...review.peaks],
  };
}

function presentTranscript(transcript: ReplacementReview['transcript']) {
  if (transcript === undefined) return null;
  const { lost, ...counts } = transcript;
  return { ...wireNames(counts), lost: lost.map(presentSegment) };
}

function presentPart({ oldStartMs, oldEndMs, newStartMs, confidence }: MatchedPart) {
  return {
    old_start: oldStartMs / 1000,
    old_end: oldEndMs / 1000,
    new_start: newStartMs / 1000,
    confidence,
  };
}

function presentTimes({ startMs, endMs }: { readonly startMs: number; readonly endMs: number }) {
  return { start_seconds: startMs / 1000, end_seconds: endMs / 1000 };
}

function presentSegment(segment: Segment) {
  const { speaker, text } = segment;
  return { ...presentTimes(segment), speaker, text };
}

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
