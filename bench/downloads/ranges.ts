import { type Agent, get } from 'node:http';

/** Ranges as multiples of sixty seconds of audio, and whether they make a download. */
export const plans = [
  { ranges: [[0, 1.5]], counts: true },
  { ranges: [[0, 0.98]], counts: false },
  {
    ranges: [
      [0, 0.5],
      [0.5, 1.05],
    ],
    counts: true,
  },
  {
    ranges: [
      [0, 0.5],
      [0.2, 0.9],
      [0, 0.9],
    ],
    counts: false,
  },
  {
    ranges: [
      [1, 1.9],
      [0, 0.2],
      [1, 1.9],
    ],
    counts: true,
  },
] as const;

/** Where the audio of a file is. */
export interface AudioBytes {
  /** The offset of the audio in its file. */
  readonly leadingTagBytes: number;
  readonly minuteBytes: number;
}

/** A `Range` header for a part of the audio, in multiples of sixty seconds. */
export function rangeOf(
  { leadingTagBytes, minuteBytes }: AudioBytes,
  [from, to]: readonly [number, number],
): string {
  const at = (share: number) => leadingTagBytes + Math.ceil(share * minuteBytes);
  return `bytes=${at(from)}-${at(to) - 1}`;
}

/** A listener's number as an address. */
export const addressOf = (listener: number): string =>
  `10.${listener >>> 16}.${(listener >>> 8) & 255}.${listener & 255}`;

export interface RangeRequest {
  readonly path: string;
  readonly range: string;
  readonly address: string;
  /** The connection comes from that address, one of this machine's own; by default a proxy names it. */
  readonly isDirect?: boolean;
}

/** Whether all requested bytes have arrived. */
export function requestRange(
  url: string,
  { path, range, address, isDirect = false }: RangeRequest,
  agent: Agent,
): Promise<boolean> {
  return new Promise((resolve) => {
    const from = isDirect ? { localAddress: address } : {};
    const forwarded = isDirect ? {} : { 'x-forwarded-for': address };
    const headers = { range, ...forwarded, 'user-agent': 'AntennaPod/3.4' };
    get(url + path, { agent, headers, ...from }, (response) => {
      const isRight = response.statusCode === 206;
      response.on('end', () => resolve(isRight && response.complete));
      response.on('error', () => resolve(false));
      response.resume();
    }).on('error', () => resolve(false));
  });
}
