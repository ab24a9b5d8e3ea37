import type { IncomingHttpHeaders } from 'node:http';
import { type ByteRange, formatContentRange, parseByteRange } from '../../lib/byte-range.ts';
import {
  evaluateConditions,
  formatEtag,
  isRangeCurrent,
  type Validators,
} from '../../lib/conditional-request.ts';
import { formatHttpDate } from '../../lib/http-date.ts';
import {
  layOutMultipartByteRanges,
  type MultipartByteRanges,
} from '../../lib/multipart-byte-ranges.ts';
import { HttpError } from '../errors.ts';
import { rangesOf } from './transfer.ts';

export interface StoredFile {
  readonly key: string;
  /** SHA-256 of the bytes, hex: the strong ETag. */
  readonly hash: string;
  readonly sizeBytes: number;
  readonly contentType: string;
  readonly lastModified?: Date;
}

/** A file with what each answer says of it. */
export interface DescribedFile extends StoredFile {
  readonly validators: Validators;
  /** Name, value, name, value …: what every answer says, its validators first. */
  readonly about: readonly string[];
}

/** `more`: further headers of every answer. */
export function describeFile(file: StoredFile, more: readonly string[] = []): DescribedFile {
  const { hash, lastModified } = file;
  const about = ['ETag', formatEtag(hash)];
  if (lastModified) about.push('Last-Modified', formatHttpDate(lastModified));
  about.push(...more);
  return { ...file, validators: { hash, lastModified }, about };
}

export interface FileRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

/** What a request for a stored file is answered with. */
export interface BlobAnswer {
  readonly status: 200 | 206 | 304;
  /** Name, value, name, value …; a list of its own. */
  readonly headers: string[];
  /** The bytes that the client is to be given, by whoever sends them. */
  readonly requested: readonly ByteRange[];
  /** `none` for HEAD as well. */
  readonly body: 'none' | 'handed_over' | 'whole' | 'range' | MultipartByteRanges;
}

/**
 * Conditions and ranges of RFC 9110, for GET and HEAD. `accelRedirect` is the nginx location that sends
 * the bytes, if there is one. Throws HttpError: 412, 416.
 */
export function answerForBlob(
  { method, headers }: FileRequest,
  file: DescribedFile,
  accelRedirect: string | undefined,
): BlobAnswer {
  const { sizeBytes, contentType, validators } = file;
  const { range, 'if-range': ifRange } = headers;
  const about = [...file.about];
  const outcome = evaluateConditions(method, headers, validators);
  if (outcome === 'not_modified') {
    return { status: 304, headers: about, requested: [], body: 'none' };
  }
  if (outcome === 'precondition_failed') throw changed();
  if (accelRedirect !== undefined) {
    // nginx reads the range itself, from the file this names. If-Range it holds against its own ETag.
    const requested = rangesOf(parseByteRange(range, sizeBytes), sizeBytes);
    about.push('X-Accel-Redirect', accelRedirect + file.key, 'Content-Type', contentType);
    // nginx reads no body of such an answer. Without a length it would close its connection to us.
    about.push('Content-Length', '0');
    return { status: 200, headers: about, requested, body: 'handed_over' };
  }
  about.push('Accept-Ranges', 'bytes');
  const current = isRangeCurrent(ifRange as string | undefined, validators);
  const selection = parseByteRange(current ? range : undefined, sizeBytes);
  if (selection.kind === 'unsatisfiable') throw outside(sizeBytes);
  const requested = rangesOf(selection, sizeBytes);
  const bodyOf = <Body>(body: Body) => (method === 'HEAD' ? ('none' as const) : body);
  if (selection.kind === 'whole') {
    about.push('Content-Type', contentType, 'Content-Length', String(sizeBytes));
    return { status: 200, headers: about, requested, body: bodyOf('whole') };
  }
  const [only, ...more] = requested;
  if (only !== undefined && more.length === 0) {
    about.push('Content-Type', contentType, 'Content-Length', String(only.end - only.start + 1));
    about.push('Content-Range', formatContentRange(only, sizeBytes));
    return { status: 206, headers: about, requested, body: bodyOf('range') };
  }
  const layout = layOutMultipartByteRanges(requested, sizeBytes, contentType);
  about.push('Content-Type', layout.contentType);
  about.push('Content-Length', String(layout.contentLengthBytes));
  return { status: 206, headers: about, requested, body: bodyOf(layout) };
}

function changed(): HttpError {
  return new HttpError({
    status: 412,
    code: 'invalid_request',
    message: 'The file has changed: it is no longer the one the condition names.',
  });
}

export function outside(sizeBytes: number): HttpError {
  return new HttpError({
    status: 416,
    code: 'invalid_request',
    message: `The file has ${sizeBytes} bytes; the range lies outside of them.`,
    headers: {
      'Accept-Ranges': 'bytes',
      'Content-Range': formatContentRange(undefined, sizeBytes),
    },
  });
}
