import type { FileFamily } from '../file-family.ts';
import { selectKnownUploadIds } from './uploads.sql.ts';

/** What has arrived of uploads. Rows end with their user and podcast, and leave the files to the sweep. */
export const uploadFiles: FileFamily = {
  folder: 'uploads',
  keyForm: /^uploads\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:\.[0-9a-f-]{36})?$/,
  findNamed: async ({ db }, keys) => {
    const ids = new Set(await selectKnownUploadIds(db, [...new Set(keys.map(uploadIdOf))]));
    return new Set(keys.filter((key) => ids.has(uploadIdOf(key))));
  },
};

function uploadIdOf(key: string): string {
  return key.slice('uploads/'.length).split('.')[0] ?? '';
}
