import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../free-port.ts';

interface Records {
  readonly a?: readonly string[];
  readonly aaaa?: readonly string[];
  readonly txt?: readonly string[];
  /** The name is another one's, whose records follow in the same response. */
  readonly cname?: string;
  /** The response takes this long. */
  readonly afterMs?: number;
}

/** What a server says about a name: its records, or a failure. */
export type Zone = Record<string, Records | 'servfail' | 'silent' | 'garbage'>;

export interface DnsServer extends AsyncDisposable {
  /** `127.0.0.1:port`, for DNS_SERVERS. */
  readonly address: string;
  /** By name in lower case; tests change it. Other names don't exist. */
  readonly zone: Zone;
  readonly questions: string[];
}

const types = { 1: 'a', 16: 'txt', 28: 'aaaa' } as const;
type Type = (typeof types)[keyof typeof types] | 'cname';
const codes: Readonly<Record<Type, number>> = { a: 1, cname: 5, txt: 16, aaaa: 28 };

/** What a datagram can have; a longer response is cut, and can be requested over TCP. */
const mostDatagramBytes = 512;
const cut = 0x0200;

/** A real name server, over UDP, and over TCP if it's named. */
export async function openDnsServer(zone: Zone = {}, { tcp = false } = {}): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const questions: string[] = [];
  socket.on('message', async (message: Buffer, from: RemoteInfo) => {
    const reply = await replyTo(message, zone, questions);
    if (reply !== undefined) send(shorten(reply, message), from);
  });
  // A slow response may be due after the end.
  let isOpen = true;
  const send = (reply: Buffer, { port, address }: RemoteInfo) => {
    if (isOpen) socket.send(reply, port, address);
  };
  // Over TCP, a connection of another test may have the port that is free over UDP.
  socket.bind(tcp ? await freePort() : 0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  const connections = new Set<Socket>();
  const server = createServer((connection) => {
    connections.add(connection);
    connection.on('error', () => undefined);
    let waiting = Buffer.alloc(0);
    connection.on('data', (chunk: Buffer) => {
      waiting = Buffer.concat([waiting, chunk]);
      for (let end = frameEnd(waiting); waiting.length >= end && end > 2; end = frameEnd(waiting)) {
        const message = waiting.subarray(2, end);
        waiting = waiting.subarray(end);
        void replyTo(message, zone, questions).then((reply) => {
          if (reply !== undefined) connection.write(frame(reply));
        });
      }
    });
  });
  if (tcp) await once(server.listen(port, '127.0.0.1'), 'listening');
  return {
    address: `127.0.0.1:${port}`,
    zone,
    questions,
    async [Symbol.asyncDispose]() {
      isOpen = false;
      socket.close();
      for (const connection of connections) connection.destroy();
      server.close();
      await once(socket, 'close');
    },
  };
}

async function replyTo(
  message: Buffer,
  zone: Zone,
  questions: string[],
): Promise<Buffer | undefined> {
  const { name, end } = readName(message, 12);
  const code = message.readUInt16BE(end);
  const type = types[code as keyof typeof types];
  questions.push(`${name} ${type ?? code}`);
  const records = zone[name];
  if (records === 'silent') return undefined;
  if (records === 'garbage') return Buffer.concat([message.subarray(0, 2), Buffer.alloc(64, 0xc0)]);
  if (typeof records === 'object') await sleep(records.afterMs ?? 0);
  const { answers, status } = findAnswers(zone, name, type);
  const header = Buffer.alloc(12);
  message.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 + status, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(answers.length, 6);
  return Buffer.concat([header, message.subarray(12, end + 4), ...answers]);
}

/** Follows aliases as a resolver does, to the first name that was there before. */
function findAnswers(
  zone: Zone,
  name: string,
  type: Type | undefined,
): { readonly answers: readonly Buffer[]; readonly status: number } {
  const answers: Buffer[] = [];
  const followed = new Set<string>();
  let at = name;
  for (;;) {
    const records = zone[at];
    if (records === undefined) return { answers, status: 3 };
    if (typeof records === 'string') return { answers, status: 2 };
    if (records.cname === undefined || followed.has(at)) {
      const values = type === undefined ? [] : (records[type] ?? []);
      for (const value of values)
        answers.push(writeRecord(at === name ? undefined : at, type ?? 'a', value));
      return { answers, status: 0 };
    }
    answers.push(writeRecord(at === name ? undefined : at, 'cname', records.cname));
    followed.add(at);
    at = records.cname;
  }
}

/** `name` undefined: that of the question. */
function writeRecord(name: string | undefined, type: Type, value: string): Buffer {
  const data = dataOf(type, value);
  const start = Buffer.from([0, codes[type], 0, 1, 0, 0, 1, 44, 0, 0]);
  start.writeUInt16BE(data.length, 8);
  const owner = name === undefined ? Buffer.from([0xc0, 12]) : writeName(name);
  return Buffer.concat([owner, start, data]);
}

/** Over TCP, each message follows its length. */
const frameEnd = (bytes: Buffer) => (bytes.length < 2 ? 2 : 2 + bytes.readUInt16BE());

function frame(message: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}

function shorten(reply: Buffer, message: Buffer): Buffer {
  if (reply.length <= mostDatagramBytes) return reply;
  const { end } = readName(message, 12);
  const short = Buffer.from(reply.subarray(0, end + 4));
  short.writeUInt16BE(short.readUInt16BE(2) | cut, 2);
  short.writeUInt16BE(0, 6);
  return short;
}

function writeName(name: string): Buffer {
  const labels = name.split('.').map((label) => [label.length, ...Buffer.from(label, 'latin1')]);
  return Buffer.from([...labels.flat(), 0]);
}

function readName(message: Buffer, from: number): { name: string; end: number } {
  const labels: string[] = [];
  let at = from;
  for (let length = message[at] ?? 0; length !== 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

function dataOf(type: Type, value: string): Buffer {
  if (type === 'cname') return writeName(value);
  if (type === 'a') return Buffer.from(value.split('.').map(Number));
  if (type === 'aaaa') {
    const [left = '', right = ''] = value.split('::');
    const groups = (text: string) => (text === '' ? [] : text.split(':'));
    const zeros = 8 - groups(left).length - groups(right).length;
    const all = [...groups(left), ...Array<string>(zeros).fill('0'), ...groups(right)];
    return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
  }
  const parts = value.match(/.{1,255}/gs) ?? [''];
  return Buffer.concat(
    parts.map((part) => Buffer.from(`${String.fromCharCode(part.length)}${part}`, 'latin1')),
  );
}
