import type { Socket } from 'node:net';

/** Raised whenever the frames below, or what is in them, change their meaning. */
export const protocolVersion = 1;

/**
 * What goes over the control socket. To the host: `hello`, then `answer` and `cancel` as they come.
 * To the caller: `accepted` or `refused`; `stdout`, `stderr`, `question` in order; `exit` last.
 * `hello` and `refused` keep their form for ever, so that two versions can tell each other apart.
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
] as const;
export type FrameKind = (typeof kinds)[number];

export interface Frame {
  readonly kind: FrameKind;
  readonly payload: Buffer;
}

/** The other side does not speak as it should. */
export class ProtocolError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ProtocolError';
  }
}

// A byte for the kind, four for the payload's length.
const headerBytes = 5;
export const maxPayloadBytes = 1024 * 1024;
const maxPieceBytes = 64 * 1024;

/** `done` hears when the socket has taken it, or has gone. */
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

/** Output of any length, in frames of a bounded one. */
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

/** Ends with the connection. Throws ProtocolError before more than one frame is held in memory. */
export async function* readFrames(socket: Socket): AsyncGenerator<Frame, void, void> {
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of socket) {
    held = held.length === 0 ? (chunk as Buffer) : Buffer.concat([held, chunk as Buffer]);
    for (;;) {
      const frame = takeFrame(held);
      if (frame === undefined) break;
      held = held.subarray(headerBytes + frame.payload.length);
      yield frame;
    }
  }
}

function takeFrame(held: Buffer): Frame | undefined {
  if (held.length < headerBytes) return undefined;
  const kind = kinds[held.readUInt8(0)];
  const length = held.readUInt32BE(1);
  if (kind === undefined || length > maxPayloadBytes) throw new ProtocolError('not a frame');
  if (held.length < headerBytes + length) return undefined;
  return { kind, payload: held.subarray(headerBytes, headerBytes + length) };
}
