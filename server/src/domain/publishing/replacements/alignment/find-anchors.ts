import { noFingerprint } from './fingerprints.ts';

/**
 * Within so many frames the same fingerprint counts as the same place: little has changed since.
 */
const samePlaceFrames = 25;
const never = -1;
const twice = -2;

/** Two frames that sound alike, one in each recording. */
export interface Anchor {
  readonly old: number;
  readonly new: number;
}

/**
 * Pairs of frames with the same fingerprint, if it occurs at one place only in each recording. So a
 * loop, a jingle and silence give none. In the order of the new recording.
 */
export function findAnchors(olds: Float64Array, news: Float64Array): Anchor[] {
  const table = new PlaceTable(olds.length + news.length);
  for (let frame = 0; frame < olds.length; frame += 1) table.add(olds[frame] as number, frame, 0);
  for (let frame = 0; frame < news.length; frame += 1) table.add(news[frame] as number, frame, 1);
  const anchors: Anchor[] = [];
  for (let frame = 0; frame < news.length; frame += 1) {
    const places = table.find(news[frame] as number);
    if (places !== undefined && places[1] === frame && places[0] >= 0) {
      anchors.push({ old: places[0], new: frame });
    }
  }
  return anchors;
}

/** The first place of each fingerprint, or that it has several places. */
class PlaceTable {
  readonly #keys: Float64Array;
  readonly #places: Int32Array;
  readonly #last: Int32Array;
  readonly #mask: number;

  constructor(keys: number) {
    const slots = 2 ** Math.ceil(Math.log2(keys * 1.5 + 16));
    this.#mask = slots - 1;
    this.#keys = new Float64Array(slots).fill(noFingerprint);
    this.#places = new Int32Array(slots * 2).fill(never);
    this.#last = new Int32Array(slots * 2).fill(never);
  }

  add(key: number, frame: number, side: 0 | 1): void {
    if (key === noFingerprint) return;
    const slot = this.#slotOf(key);
    this.#keys[slot] = key;
    const at = slot * 2 + side;
    if (this.#places[at] === never) this.#places[at] = frame;
    else if (frame - (this.#last[at] as number) > samePlaceFrames) this.#places[at] = twice;
    this.#last[at] = frame;
  }

  find(key: number): readonly [old: number, new: number] | undefined {
    if (key === noFingerprint) return undefined;
    const slot = this.#slotOf(key);
    return [this.#places[slot * 2] as number, this.#places[slot * 2 + 1] as number];
  }

  #slotOf(key: number): number {
    const mixed = Math.imul(
      (key % 2 ** 20) ^ Math.imul(Math.floor(key / 2 ** 20), 0x9e3779b1),
      0x85ebca6b,
    );
    let slot = (mixed ^ (mixed >>> 15)) & this.#mask;
    while (this.#keys[slot] !== key && this.#keys[slot] !== noFingerprint) {
      slot = (slot + 1) & this.#mask;
    }
    return slot;
  }
}
