import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** A small S3 store in memory, for tests that need a store that misbehaves. Checks no signatures. */
export interface FakeS3 extends AsyncDisposable {
  readonly url: string;
  /** The settings of an installation that uses it. */
  readonly settings: Readonly<Record<string, string>>;
  readonly objects: Map<string, Buffer>;
  /** Multipart uploads that are neither completed nor aborted, by id. */
  readonly uploads: Map<string, MultipartUpload>;
  /** Handles every request with this, until it is called without a response. */
  misbehave(handle?: Handle): void;
}

export interface MultipartUpload {
  readonly key: string;
  readonly parts: Map<number, Buffer>;
}

type Stored = Pick<FakeS3, 'objects' | 'uploads'>;

export async function openFakeS3(): Promise<FakeS3> {
  const stored: Stored = { objects: new Map(), uploads: new Map() };
  let other: Handle | undefined;
  const server = createServer((request, response) => {
    if (other !== undefined) other(request, response);
    else respond(stored, request, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    settings: {
      ...{ S3_ENDPOINT: url, S3_BUCKET: 'bucket', S3_FORCE_PATH_STYLE: 'on' },
      ...{ S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' },
    },
    ...stored,
    misbehave(handle) {
      other = handle;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function respond(
  { objects, uploads }: Stored,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://s3');
  const key = decodeURIComponent(pathname).split('/').slice(2).join('/');
  if (searchParams.has('uploads') || searchParams.has('uploadId')) {
    return respondAboutUploads({ objects, uploads }, { key, searchParams }, request, response);
  }
  if (searchParams.has('list-type')) {
    const prefix = searchParams.get('prefix') ?? '';
    const contents = [...objects]
      .filter(([name]) => name.startsWith(prefix))
      .map(
        ([name, bytes]) =>
          `<Contents><Key>${name}</Key><Size>${bytes.length}</Size>` +
          '<LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>',
      );
    return end(response, 200, `<ListBucketResult>${contents.join('')}</ListBucketResult>`);
  }
  if (request.method === 'PUT') {
    objects.set(key, await buffer(request));
    response.setHeader('ETag', '"1"');
    return end(response, 200);
  }
  if (request.method === 'DELETE') {
    objects.delete(key);
    return end(response, 204);
  }
  if (key === '') return end(response, 200);
  const found = objects.get(key);
  if (found === undefined) return end(response, 404, '<Error><Code>NoSuchKey</Code></Error>');
  if (request.method === 'HEAD') {
    response.setHeader('Content-Length', found.length);
    return end(response, 200);
  }
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  if (first === undefined) return end(response, 200, found);
  const part = found.subarray(Number(first), Number(last) + 1);
  const range = `bytes ${first}-${Number(first) + part.length - 1}/${found.length}`;
  response.setHeader('Content-Range', range);
  return end(response, 206, part);
}

interface Target {
  readonly key: string;
  readonly searchParams: URLSearchParams;
}

async function respondAboutUploads(
  { objects, uploads }: Stored,
  { key, searchParams }: Target,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const id = searchParams.get('uploadId');
  if (id === null && request.method === 'GET') return listUploads(uploads, searchParams, response);
  if (id === null) {
    const created = randomUUID();
    uploads.set(created, { key, parts: new Map() });
    const name = 'InitiateMultipartUploadResult';
    return end(response, 200, `<${name}><UploadId>${created}</UploadId></${name}>`);
  }
  const upload = uploads.get(id);
  if (upload === undefined) {
    return end(response, 404, '<Error><Code>NoSuchUpload</Code></Error>');
  }
  if (request.method === 'PUT') {
    upload.parts.set(Number(searchParams.get('partNumber')), await buffer(request));
    response.setHeader('ETag', '"1"');
    return end(response, 200);
  }
  uploads.delete(id);
  if (request.method === 'DELETE') return end(response, 204);
  objects.set(key, Buffer.concat([...upload.parts.values()]));
  end(response, 200, '<CompleteMultipartUploadResult/>');
}

function listUploads(
  uploads: Stored['uploads'],
  searchParams: URLSearchParams,
  response: ServerResponse,
): void {
  const most = Number(searchParams.get('max-uploads') ?? 1_000);
  const after = [searchParams.get('key-marker') ?? '', searchParams.get('upload-id-marker') ?? ''];
  const all = [...uploads]
    .map(([id, { key }]) => ({ id, key, place: `${key} ${id}` }))
    .filter(({ key }) => key.startsWith(searchParams.get('prefix') ?? ''))
    .sort((one, other) => (one.place < other.place ? -1 : 1))
    .filter(({ place }) => place > after.join(' ').trim());
  const listed = all
    .slice(0, most)
    .map(
      ({ id, key }) =>
        `<Upload><Key>${key}</Key><UploadId>${id}</UploadId>` +
        `<Initiated>${new Date().toISOString()}</Initiated></Upload>`,
    );
  const { key, id } = all[most - 1] ?? {};
  const next =
    all.length > most
      ? `<IsTruncated>true</IsTruncated><NextKeyMarker>${key}</NextKeyMarker>` +
        `<NextUploadIdMarker>${id}</NextUploadIdMarker>`
      : '<IsTruncated>false</IsTruncated>';
  const body = `${listed.join('')}${next}`;
  end(response, 200, `<ListMultipartUploadsResult>${body}</ListMultipartUploadsResult>`);
}

function end(response: ServerResponse, status: number, body?: string | Buffer): void {
  if (body !== undefined) response.setHeader('Content-Length', Buffer.byteLength(body));
  response.writeHead(status).end(body);
}
