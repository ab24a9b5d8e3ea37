import type { FileFamily } from '../../foundation/file-family.ts';
import { selectKnownAudioKeys } from './audio.sql.ts';

/** The files of audio in the blob store, for the sweep. */
export const audioFiles: FileFamily = {
  folder: 'audio',
  keyForm: /^audio\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[a-z0-9]{1,8}$/,
  findNamed: async ({ db }, keys) => new Set(await selectKnownAudioKeys(db, keys)),
};
