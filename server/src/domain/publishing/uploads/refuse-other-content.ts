import type { UploadPurpose } from '../../foundation/enumerations.ts';
import { invalid } from '../../foundation/errors.ts';
import { isAudioBeginning } from '../audio/index.ts';
import { detectImageKind, ImageError } from '../images/index.ts';
import type { Upload } from './upload.ts';

/** Enough bytes to recognize every format: two frames of audio after some padding. */
const headBytes = 16_384;

/**
 * Passes the bytes on if the first ones are of an accepted kind; otherwise throws before that. A
 * body that continues an upload is passed on unchecked.
 */
export async function* refuseOtherContent(
  { purpose, receivedBytes, sizeBytes }: Pick<Upload, 'purpose' | 'receivedBytes' | 'sizeBytes'>,
  body: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  const wanted = receivedBytes === 0 ? Math.min(headBytes, sizeBytes) : 0;
  const waiting: Buffer[] = [];
  let length = 0;
  let isChecked = wanted === 0;
  for await (const chunk of body) {
    if (isChecked) {
      yield chunk;
      continue;
    }
    waiting.push(chunk);
    length += chunk.length;
    if (length < wanted) continue;
    refuse(purpose, Buffer.concat(waiting).subarray(0, headBytes));
    isChecked = true;
    yield* waiting.splice(0);
  }
  // The first piece is too small to tell. The whole file is checked before it is used anyway.
  yield* waiting;
}

function refuse(purpose: UploadPurpose, head: Buffer): void {
  const problem = problems[purpose](head);
  if (problem !== undefined) throw invalid('file', problem, 'wrong_type');
}

const problems: Readonly<Record<UploadPurpose, (head: Buffer) => string | undefined>> = {
  audio: (head) =>
    isAudioBeginning(head)
      ? undefined
      : 'This is not an audio file that Podstead knows: MP3, M4A, AAC, Ogg, Opus, FLAC or WAV.',
  image(head) {
    try {
      detectImageKind(head);
      return undefined;
    } catch (error) {
      if (error instanceof ImageError) return error.message;
      throw error;
    }
  },
  transcript: (head) =>
    textProblem(head, 'transcript: WebVTT, SRT, TTML, JSON, HTML, plain text and others'),
  chapters: (head) => textProblem(head, 'file of chapters: JSON, a list of times and titles, PSC'),
};

/** UTF-16 has zeros, and a byte order mark before them. */
function textProblem(head: Buffer, what: string): string | undefined {
  const isUtf16 = head[0] === 0xff ? head[1] === 0xfe : head[0] === 0xfe && head[1] === 0xff;
  return head.includes(0) && !isUtf16 ? `This is not a ${what}.` : undefined;
}
