import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Task } from '../processes/job.ts';
import type { BlobStore } from './blob-store.ts';
import { openDiskBlobStore } from './disk-blob-store.ts';
import { writeDurably } from './durable-file.ts';
import { atWork, newReceivedName, receiveFile } from './receive-file.ts';

// The child's side of a folder store: each task is one of its methods.

export interface FolderInput {
  /** Its absolute path. */
  readonly folder: string;
  /** Of the disk, so much stays free. */
  readonly spareBytes: number | undefined;
  /** Whether it is created if it is missing. If not, it may be one that can only be read. */
  readonly mayBegin: boolean;
}

type FolderTask<More> = Task<FolderInput & More>;

const stores = new Map<string, Promise<BlobStore>>();
const unused = 'application/octet-stream';

function openStore({ folder, spareBytes, mayBegin }: FolderInput): Promise<BlobStore> {
  const options = { room: { spareBytes }, mayBeReadOnly: !mayBegin };
  const opening = openDiskBlobStore(folder, options);
  stores.set(folder, opening);
  opening.catch(() => stores.delete(folder));
  return opening;
}

const storeOf = (input: FolderInput) => stores.get(input.folder) ?? openStore(input);

/** False: the folder is missing, and may not be created. */
export const open: Task<FolderInput> = async function* (input) {
  const isThere = input.mayBegin || existsSync(input.folder);
  if (isThere) await openStore(input);
  yield isThere;
};

export const put: FolderTask<{ key: string }> = async function* (input, files) {
  const store = await storeOf(input);
  for await (const file of files) {
    const chunks: Buffer[] = [];
    for await (const chunk of file) chunks.push(chunk);
    yield await store.put(input.key, Buffer.concat(chunks), unused);
  }
};

/** Reserves no room: to free some, a prune marks that it is at work. */
export const mark: FolderTask<{ key: string }> = async function* (input) {
  const store = await storeOf(input);
  const path = join(store.scratchDir, newReceivedName());
  try {
    await writeDurably(path, atWork);
    await store.putFile(input.key, path, unused);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
  yield true;
};

export const receive: FolderTask<{ name: string; expectedBytes?: number }> = async function* (
  input,
  files,
) {
  const store = await storeOf(input);
  for await (const file of files)
    yield await receiveFile(store, input.name, file, input.expectedBytes);
};

export const move: FolderTask<{ name: string; key: string }> = async function* (input) {
  const store = await storeOf(input);
  yield await store.putFile(input.key, join(store.scratchDir, input.name), unused);
};

export const drop: FolderTask<{ name: string }> = async function* (input) {
  await rm(join((await storeOf(input)).scratchDir, input.name), { force: true });
  yield true;
};

export const remove: FolderTask<{ key: string }> = async function* (input) {
  await (await storeOf(input)).delete(input.key);
  yield true;
};

export const list: FolderTask<{ under: string }> = async function* (input) {
  yield* (await storeOf(input)).list(input.under);
};

/** The bytes from `at` on, at most `length`; fewer are the last. */
export const read: FolderTask<{ key: string; at: number; length: number }> = async function* (
  input,
) {
  const { key, at, length } = input;
  const store = await storeOf(input);
  const { sizeBytes } = (await store.stat(key)) ?? {};
  // `read` says what is missing.
  const span = sizeBytes === 0 ? undefined : { start: at, end: at + length - 1 };
  if (sizeBytes !== undefined && sizeBytes > 0 && at >= sizeBytes) return yield Buffer.alloc(0);
  const chunks: Buffer[] = [];
  for await (const chunk of await store.read(key, span)) chunks.push(chunk as Buffer);
  yield Buffer.concat(chunks);
};
