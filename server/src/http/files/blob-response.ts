import type { IncomingHttpHeaders } from 'node:http';
import {
  type ByteRange,
  formatContentRange,
  parseByteRange,
  type RangeSelection,
} from '../../lib/byte-range.ts';
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
import { HttpError } from '../http-errors.ts';
import { unbuffered } from '../responses/default-headers.ts';
import type { ExtraHeaders } from '../responses/payload.ts';

export interface StoredFile {
  readonly key: string;
  /** SHA-256 of the bytes, hex: the strong ETag. */
  readonly hash: string;
  readonly sizeBytes: number;
  readonly contentType: string;
  readonly lastModified?: Date;
  /** Further headers of every response. */
  readonly extra?: ExtraHeaders;
}

/** A file with the headers that all responses share. */
export interface DescribedFile extends StoredFile {
  readonly validators: Validators;
  /** Names and values of the headers of every response, the validators first. */
  readonly about: readonly string[];
}

/** `more`: further headers of every response. */
export function describeFile(file: StoredFile, more: readonly string[] = []): DescribedFile {
  const { hash, lastModified, extra = {} } = file;
  const about = ['ETag', formatEtag(hash)];
  if (lastModified) about.push('Last-Modified', formatHttpDate(lastModified));
  about.push(...Object.entries(extra).flat(), ...more);
  return { ...file, validators: { hash, lastModified }, about };
}

export interface FileRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

/** The response to a request for a stored file. */
export interface BlobResponse {
  readonly status: 200 | 206 | 304;
  /** Names and values, in a new list. */
  readonly headers: string[];
  /** The bytes that this process sends in response to GET. */
  readonly requested: readonly ByteRange[];
  /** `none` for HEAD as well. */
  readonly body: 'none' | 'handed_over' | 'whole' | 'range' | MultipartByteRanges;
}

/**
 * Conditions and ranges of RFC 9110, for GET and HEAD. `accelRedirect` is the nginx location that sends
 * the bytes, if there is one. Throws HttpError: 412, 416.
 */
export function blobResponseTo(
  { method, headers }: FileRequest,
  file: DescribedFile,
  accelRedirect: string | undefined,
): BlobResponse {
  const { sizeBytes, contentType, validators } = file;
  const { range, 'if-range': ifRange } = headers;
  const about = [...file.about];
  const outcome = evaluateConditions(method, headers, validators);
  if (outcome === 'not_modified') {
    return { status: 304, headers: about, requested: [], body: 'none' };
  }
  if (outcome === 'precondition_failed') throw changed();
  if (accelRedirect !== undefined) {
    // nginx reads the range from the file itself, and compares If-Range with this ETag.
    about.push('X-Accel-Redirect', accelRedirect + file.key, 'Content-Type', contentType);
    // nginx ignores the body of this response, but closes its connection if there is no length.
    about.push('Content-Length', '0');
    return { status: 200, headers: about, requested: [], body: 'handed_over' };
  }
  about.push('Accept-Ranges', 'bytes');
  if (contentType.startsWith('audio/')) about.push(...Object.entries(unbuffered).flat());
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

/** A whole file is one range. Empty for an empty file or a range outside of it. */
function rangesOf(selection: RangeSelection, sizeBytes: number): readonly ByteRange[] {
  if (selection.kind === 'ranges') return selection.ranges;
  return selection.kind === 'whole' && sizeBytes > 0 ? [{ start: 0, end: sizeBytes - 1 }] : [];
}

function changed(): HttpError {
  return new HttpError({
    status: 412,
    code: 'invalid_request',
    message: "The file has changed and no longer meets the request's condition.",
  });
}

export function outside(sizeBytes: number): HttpError {
  return new HttpError({
    status: 416,
    code: 'invalid_request',
    message: `The file has ${sizeBytes} bytes; the range is outside it.`,
    headers: {
      'Accept-Ranges': 'bytes',
      'Content-Range': formatContentRange(undefined, sizeBytes),
    },
  });
}
