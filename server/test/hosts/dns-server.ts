import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';

/** What a server says about a name: its records, or a failure. */
export type Zone = Record<
  string,
  | {
      readonly a?: readonly string[];
      readonly aaaa?: readonly string[];
      readonly txt?: readonly string[];
    }
  | 'servfail'
  | 'silent'
  | 'garbage'
>;

export interface DnsServer extends AsyncDisposable {
  /** `127.0.0.1:port`, for DNS_SERVERS. */
  readonly address: string;
  /** By name in lower case; tests change it. Other names don't exist. */
  readonly zone: Zone;
  readonly questions: string[];
}

const types = { 1: 'a', 16: 'txt', 28: 'aaaa' } as const;

/** A real name server, over UDP. */
export async function openDnsServer(zone: Zone = {}): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const questions: string[] = [];
  socket.on('message', (message: Buffer, from: RemoteInfo) => {
    const reply = replyTo(message, zone, questions);
    if (reply !== undefined) socket.send(reply, from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    zone,
    questions,
    async [Symbol.asyncDispose]() {
      socket.close();
      await once(socket, 'close');
    },
  };
}

function replyTo(message: Buffer, zone: Zone, questions: string[]): Buffer | undefined {
  const { name, end } = readName(message, 12);
  const type = message.readUInt16BE(end) as keyof typeof types;
  questions.push(`${name} ${types[type] ?? type}`);
  const records = zone[name];
  if (records === 'silent') return undefined;
  if (records === 'garbage') return Buffer.concat([message.subarray(0, 2), Buffer.alloc(64, 0xc0)]);
  const values = typeof records === 'object' ? (records[types[type]] ?? []) : [];
  const status = records === undefined ? 3 : records === 'servfail' ? 2 : 0;
  const header = Buffer.alloc(12);
  message.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 + status, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(values.length, 6);
  const answers = values.map((value) => {
    const data = dataOf(types[type], value);
    const start = Buffer.from([0xc0, 12, 0, Number(type), 0, 1, 0, 0, 1, 44, 0, 0]);
    start.writeUInt16BE(data.length, 10);
    return Buffer.concat([start, data]);
  });
  return Buffer.concat([header, message.subarray(12, end + 4), ...answers]);
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

function dataOf(type: 'a' | 'aaaa' | 'txt' | undefined, value: string): Buffer {
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
