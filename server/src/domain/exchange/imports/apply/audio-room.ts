import { readFreeStorage } from '../../../foundation/storage/index.ts';
import type { ImportRun } from '../import-run.ts';
import { measurePartialAudio } from '../partial-audio.ts';

/** A file that is being fetched. */
interface Fetching {
  readonly path: string;
  /** What the account has left for it. */
  leftBytes: number;
  /** Of its partial file, when that was found and now. */
  foundBytes: number | undefined;
  sizeBytes: number;
}

/** Of this process, by account. */
const fetchingOf = new Map<string, Set<Fetching>>();

/** The storage of an account that one file of an import may use. */
export interface AudioRoom extends Disposable {
  readonly maxBytes: number;
  /** For a larger file. */
  readonly refusal: Error;
  /** Call it with the size of the partial file when that has grown. Throws the refusal. */
  grow(sizeBytes: number): void;
  /** The file is complete: it stays. */
  keep(): void;
}

/**
 * The storage that the account has left, without the partial files of its imports: they count nowhere, but
 * are on the disk, also while an import is paused. Files that are fetched at the same time share it, whatever
 * sizes their servers announce. Undefined: there is no limit. Throws the refusal if nothing is left.
 */
export async function openAudioRoom(
  { ctx, podcastId, limits }: ImportRun,
  path: string,
): Promise<AudioRoom | undefined> {
  const free = await readFreeStorage(ctx, podcastId);
  if (free === undefined) return undefined;
  const { accountId, refusal } = free;
  const all = fetchingOf.get(accountId) ?? new Set();
  const looked = [...all].filter(({ foundBytes }) => foundBytes !== undefined);
  const before = new Map(looked.map((one) => [one.path, one.sizeBytes]));
  // Joins the others before it looks at the disk, so that what they receive in between counts.
  const own: Fetching = { path, leftBytes: free.bytes, foundBytes: undefined, sizeBytes: 0 };
  fetchingOf.set(accountId, all.add(own));
  const leave = () => {
    all.delete(own);
    if (all.size === 0) fetchingOf.delete(accountId);
  };
  let received = 0;
  const note = (bytes: number) => {
    received += bytes;
    for (const one of all) one.leftBytes -= bytes;
  };
  /** What others have received since this one joined was noted already. */
  const unnoted = (ofPath: string, sizeBytes: number) =>
    before.get(ofPath) ?? [...all].find((one) => one.path === ofPath)?.foundBytes ?? sizeBytes;
  try {
    const sizes = await measurePartialAudio(ctx, accountId);
    const partial = new Map([...before, ...sizes]);
    for (const [other, sizeBytes] of partial) own.leftBytes -= unnoted(other, sizeBytes);
    own.foundBytes = sizes.get(path) ?? 0;
    own.sizeBytes = own.foundBytes;
    const maxBytes = Math.min(limits.audioBytes, own.leftBytes + own.sizeBytes);
    if (maxBytes <= 0) throw refusal;
    return {
      ...{ maxBytes, refusal },
      grow(sizeBytes) {
        note(sizeBytes - own.sizeBytes);
        own.sizeBytes = sizeBytes;
        if (own.leftBytes >= 0) return;
        // Its file will be deleted. Until then, the others must not be refused for it, too.
        note(-received);
        throw refusal;
      },
      keep() {
        received = 0;
      },
      [Symbol.dispose]() {
        leave();
        note(-received);
      },
    };
  } catch (error) {
    leave();
    throw error;
  }
}
