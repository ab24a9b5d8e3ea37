import { earliest } from '../../lib/earliest.ts';

/** Lines in memory, in the order of their arrival. */
export class UnwrittenLines {
  #lines: WaitingLine[] = [];
  #sizeBytes = 0;

  get count(): number {
    return this.#lines.length;
  }

  /** How many events the lines tell. */
  get eventCount(): number {
    return this.#lines.reduce((sum, { events }) => sum + events, 0);
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** When the first waiting line arrived. */
  get since(): Date | undefined {
    return this.#lines[0]?.since;
  }

  /** The earliest time that a line is about. */
  get earliestAt(): Date | undefined {
    return earliest(this.#lines.map(({ at }) => at));
  }

  add(line: WaitingLine): void {
    this.#lines.push(line);
    this.#sizeBytes += line.bytes;
  }

  /** The first lines, until they have `aboutBytes`. There must be at least one. */
  peek(aboutBytes: number): LineBatch {
    let [count, bytes] = [0, 0];
    while (count < this.#lines.length && bytes < aboutBytes) {
      bytes += this.#lines[count]?.bytes ?? 0;
      count += 1;
    }
    const lines = this.#lines.slice(0, count);
    return {
      count,
      bytes: Buffer.from(lines.map(({ line }) => `${line}\n`).join('')),
      earliestAt: earliest(lines.map(({ at }) => at)) ?? new Date(0),
    };
  }

  remove({ count, bytes }: LineBatch): void {
    this.#lines = this.#lines.slice(count);
    this.#sizeBytes -= bytes.length;
  }
}

interface WaitingLine {
  readonly line: string;
  /** With the line break. */
  readonly bytes: number;
  readonly at: Date;
  readonly since: Date;
  readonly events: number;
}

interface LineBatch {
  readonly count: number;
  readonly bytes: Buffer;
  readonly earliestAt: Date;
}
