import { msg } from '@lingui/core/macro';
import type { Words } from './say-message.ts';

/** Why the server refuses, by reasons and codes: less precise than its own message. */
export const reasonWords: Words = {
  not_found: msg`There’s nothing here, or nothing you can access.`,
  unavailable: msg`This show is suspended.`,
  unauthorized: msg`Sign in first.`,
  forbidden: msg`Your role doesn’t allow this.`,
  plan_upgrade_required: msg`This show’s plan doesn’t include this.`,
  precondition_failed: msg`This has changed. Check it and try again.`,
  rate_limited: msg`Too many requests. Try again in a minute.`,
  service_unavailable: msg`The service can’t do this at the moment. Try again shortly.`,
  internal_error: msg`Something went wrong on our side.`,
  unexpected: msg`The server sent an unexpected response.`,
  empty: msg`The file is empty.`,
  damaged: msg`The file is damaged.`,
  unsupported: msg`Files of this type can’t be used here.`,
  wrong_type: msg`This is a different type of file.`,
  too_large: msg`The file is too large.`,
  not_audio: msg`This isn’t an audio file.`,
  too_long: msg`The recording is too long.`,
  not_an_image: msg`This isn’t a picture.`,
  too_many_bytes: msg`The picture is too large.`,
  too_many_pixels: msg`The picture has too many pixels.`,
  too_complex: msg`The picture takes too long to read. Save it again as JPEG or PNG.`,
  not_a_transcript: msg`This isn’t a transcript.`,
  too_many_segments: msg`The transcript has too many segments.`,
  language_twice: msg`There’s already a transcript in this language.`,
  no_first: msg`Add a transcript in the original language before one in another language.`,
  too_many_languages: msg`There are transcripts in too many languages.`,
  not_chapters: msg`This isn’t a chapters file.`,
  too_many_chapters: msg`There are too many chapters.`,
};
