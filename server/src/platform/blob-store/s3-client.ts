import { IncomingMessage } from 'node:http';
import { pipeline, Readable, Transform, type TransformCallback } from 'node:stream';
import { S3Client, type S3ClientConfig, S3ServiceException } from '@aws-sdk/client-s3';
import { BlobKeyError, BlobStoreAwayError } from './blob-store.ts';

/**
 * The longest a command may take with all its attempts, in milliseconds. Both are shorter than the time
 * after which the server closes an idle connection, so that a client always gets a response.
 */
export interface S3Deadlines {
  readonly quickMs: number;
  /** For commands that send or copy the bytes of a file. */
  readonly bytesMs: number;
  /** How long the store may send almost nothing while somebody waits for a file's bytes. */
  readonly silenceMs: number;
}

export const s3Deadlines: S3Deadlines = { quickMs: 8_000, bytesMs: 100_000, silenceMs: 20_000 };

export interface S3ClientOptions {
  readonly endpoint?: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly forcePathStyle: boolean;
  readonly deadlines?: S3Deadlines;
  /** How many connections it may open. Further commands wait for one. */
  readonly mostSockets?: number;
}

/** The default of the SDK, 50, would make commands wait for others that send a file. */
const defaultMostSockets = 2_000;

const withBytes = new Set([
  'PutObjectCommand',
  'UploadPartCommand',
  'CopyObjectCommand',
  'UploadPartCopyCommand',
  'CompleteMultipartUploadCommand',
]);
const smallBytes = 64 * 1024;
/** A store that sends less in half of `silenceMs` counts as silent. */
const leastBytes = 4 * 1024;
/** Several times the longest list or error. */
const mostReplyBytes = 8 * 1024 * 1024;

const ignore = (): void => undefined;
/** Without it, the SDK writes to the console. Its errors say the same, and we log those. */
const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** A client that bounds the time of every command and the size of every reply that it parses. */
export function createS3Client(options: S3ClientOptions): S3Client {
  const { deadlines = s3Deadlines, mostSockets: maxSockets = defaultMostSockets } = options;
  const client = new PunctualClient(deadlines, {
    ...(options.endpoint === undefined ? {} : { endpoint: options.endpoint }),
    region: options.region,
    credentials: {
      accessKeyId: options.accessKeyId,
      secretAccessKey: options.secretAccessKey,
    },
    forcePathStyle: options.forcePathStyle,
    // Other stores reject or corrupt the checksums that newer SDKs send by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: 3_000,
      // Limits how long a paused listener keeps the store's response open.
      socketTimeout: 300_000,
      httpAgent: { keepAlive: true, maxSockets },
      httpsAgent: { keepAlive: true, maxSockets },
    },
    logger: silent,
  });
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const result = await next(args);
        const response = result.response as { statusCode?: number; body?: unknown };
        const isFile = commandName === 'GetObjectCommand' && (response.statusCode ?? 0) < 300;
        if (isFile) endWhenSilent(response.body, deadlines.silenceMs);
        else if (response.body instanceof Readable) response.body = limited(response.body);
        return result;
      },
    // Between the connection and the parser.
    { step: 'deserialize', priority: 'low', name: 'boundReply' },
  );
  return client;
}

interface SentCommand {
  readonly constructor: { readonly name: string };
  readonly input: { readonly Body?: unknown };
}

function isQuick({ constructor: { name }, input: { Body } }: SentCommand): boolean {
  return !withBytes.has(name) || (Body instanceof Uint8Array && Body.length <= smallBytes);
}

class PunctualClient extends S3Client {
  readonly #deadlines: S3Deadlines;
  readonly #underWay = new Set<AbortController>();

  constructor(deadlines: S3Deadlines, config: S3ClientConfig) {
    super(config);
    this.#deadlines = deadlines;
  }

  // `never`: a signature compatible with all of the SDK's overloads.
  override send(command: SentCommand): never {
    return this.#sendInTime(command) as never;
  }

  async #sendInTime(command: SentCommand) {
    const { quickMs, bytesMs } = this.#deadlines;
    const limitMs = isQuick(command) ? quickMs : bytesMs;
    const attempt = new AbortController();
    this.#underWay.add(attempt);
    // Not AbortSignal.timeout: it would also end the bytes of a file that follow.
    const timer = setTimeout(() => attempt.abort(), limitMs);
    try {
      return await super.send(command as never, { abortSignal: attempt.signal });
    } catch (error) {
      if (attempt.signal.aborted) {
        const cause = new Error(
          `no response from the file store in ${limitMs} ms, or it was closed`,
        );
        throw new BlobStoreAwayError({ cause });
      }
      throw isAboutFile(error) ? error : away(error);
    } finally {
      clearTimeout(timer);
      this.#underWay.delete(attempt);
    }
  }

  /** Ends what is under way, so that a store that does not respond delays no stop. */
  override destroy(): void {
    for (const attempt of this.#underWay) attempt.abort();
    super.destroy();
  }
}

/**
 * Whether an error says something about the requested file, or is ours. All others mean that the store
 * does not work for us, whatever the reason: it does not respond, is overloaded, lost its bucket, no
 * longer accepts our key or our clock, or nobody understands what it sends. Redirects are not followed:
 * whoever answers there is not the store of the settings.
 */
function isAboutFile(error: unknown): boolean {
  if (error instanceof BlobKeyError || error instanceof BlobStoreAwayError) return true;
  const status = statusOf(error);
  if (status === 404) return nameOf(error) !== 'NoSuchBucket';
  return status === 416 || nameOf(error) === 'InvalidPart';
}

const longestMessage = 300;

/**
 * Whatever fields a store's error has end here: some stores repeat the signature, the text that was signed
 * or a token, and the cause is logged.
 */
export function away(error: unknown): BlobStoreAwayError {
  if (error instanceof BlobStoreAwayError) return error;
  if (!(error instanceof S3ServiceException)) return new BlobStoreAwayError({ cause: error });
  const { httpStatusCode: status, requestId } = error.$metadata;
  const request = requestId === undefined ? '' : `, request ${requestId}`;
  const message = `${error.message.slice(0, longestMessage)} (status ${status}${request})`;
  return new BlobStoreAwayError({ cause: new StoreRefusalError(error.name, message, status) });
}

/** Whether the store has said that our key may not do this. */
export function isForbidden(error: unknown): boolean {
  const cause = error instanceof BlobStoreAwayError ? error.cause : undefined;
  return cause instanceof StoreRefusalError && cause.status === 403;
}

class StoreRefusalError extends Error {
  readonly status: number | undefined;

  constructor(name: string, message: string, status: number | undefined) {
    super(message);
    this.name = name;
    this.status = status;
  }
}

export function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}

export function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
}

/** Fails after more bytes than any honest reply has, so that memory is bounded. */
function limited(body: Readable): Readable {
  let bytes = 0;
  const limit = new Transform({
    transform(chunk: Buffer, _encoding: string, done: TransformCallback) {
      bytes += chunk.length;
      done(bytes > mostReplyBytes ? new Error('the reply is too long') : null, chunk);
    },
  });
  // Its reader gets the error.
  return pipeline(body, limit, () => undefined);
}

/**
 * Ends a file's bytes when the store has sent almost nothing for some time although the reader has
 * taken all that came. A reader that pauses leaves bytes in the buffer, and has its own limit.
 */
function endWhenSilent(body: unknown, silenceMs: number): void {
  if (!(body instanceof IncomingMessage)) return;
  const { socket } = body;
  let seen: number | undefined;
  const timer = setInterval(() => {
    const isWaiting = body.readableLength === 0 && !body.readableEnded;
    if (isWaiting && seen !== undefined && socket.bytesRead - seen < leastBytes) {
      const cause = new Error(`almost no bytes from the file store in ${silenceMs} ms`);
      body.destroy(new BlobStoreAwayError({ cause }));
    }
    seen = isWaiting ? socket.bytesRead : undefined;
  }, silenceMs / 2);
  timer.unref();
  body.once('close', () => clearInterval(timer));
}
