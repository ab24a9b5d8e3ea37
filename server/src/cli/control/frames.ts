import type { Socket } from 'node:net';

/** Increase it whenever the frames or their contents change. */
export const protocolVersion = 2;

/**
 * The protocol of the control socket. To the host: `hello`, then `answer` and `cancel` at any time.
 * To the caller: `accepted` or `refused`; `stdout`, `stderr`, `question` (a password) and `ask` (a
 * line) in order; `exit` last. `hello` and `refused` never change their format, so that different
 * versions recognize each other.
 */
const kinds = [
  'hello',
  'accepted',
  'refused',
  'stdout',
  'stderr',
  'question',
  'answer',
  'cancel',
  'exit',
  'ask',
] as const;
export type FrameKind = (typeof kinds)[number];

export interface Frame {
  readonly kind: FrameKind;
  readonly payload: Buffer;
}

/** The other side violates the protocol. */
export class ProtocolError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ProtocolError';
  }
}

// One byte for the kind, four for the payload's length.
const headerBytes = 5;
export const maxPayloadBytes = 1024 * 1024;
const maxPieceBytes = 64 * 1024;

/** `done` is called when the socket has taken the frame or is closed. */
export function sendFrame(
  socket: Socket,
  kind: FrameKind,
  payload: Buffer | string = '',
  done: () => void = () => {},
): void {
  const body = typeof payload === 'string' ? Buffer.from(payload) : payload;
  if (body.length > maxPayloadBytes) throw new ProtocolError('a frame is too large');
  const header = Buffer.alloc(headerBytes);
  header.writeUInt8(kinds.indexOf(kind), 0);
  header.writeUInt32BE(body.length, 1);
  socket.write(Buffer.concat([header, body]), () => done());
}

/** Sends output of any length in several frames. */
export function sendOutput(
  socket: Socket,
  kind: 'stdout' | 'stderr',
  output: Buffer,
  done: () => void,
): void {
  let start = 0;
  for (; start + maxPieceBytes < output.length; start += maxPieceBytes) {
    sendFrame(socket, kind, output.subarray(start, start + maxPieceBytes));
  }
  sendFrame(socket, kind, output.subarray(start), done);
}

/** Ends with the connection. Holds at most one frame in memory; throws ProtocolError for more. */
export async function* readFrames(socket: Socket): AsyncGenerator<Frame, void, void> {
  let buffered: Buffer = Buffer.alloc(0);
  for await (const chunk of socket) {
    buffered =
      buffered.length === 0 ? (chunk as Buffer) : Buffer.concat([buffered, chunk as Buffer]);
    for (;;) {
      const frame = takeFrame(buffered);
      if (frame === undefined) break;
      buffered = buffered.subarray(headerBytes + frame.payload.length);
      yield frame;
    }
  }
}

function takeFrame(buffered: Buffer): Frame | undefined {
  if (buffered.length < headerBytes) return undefined;
  const kind = kinds[buffered.readUInt8(0)];
  const length = buffered.readUInt32BE(1);
  if (kind === undefined || length > maxPayloadBytes) throw new ProtocolError('not a frame');
  if (buffered.length < headerBytes + length) return undefined;
  return { kind, payload: buffered.subarray(headerBytes, headerBytes + length) };
}
