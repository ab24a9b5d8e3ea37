import { type FileFamily, findByIds } from '../file-family.ts';
import { selectKnownUploadIds } from './uploads.sql.ts';

/** What has arrived of uploads. Rows end with their user and podcast, and leave the files to the sweep. */
export const uploadFiles: FileFamily = {
  folder: 'uploads',
  keyForm: /^uploads\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:\.[0-9a-f-]{36})?$/,
  findNamed: findByIds(selectKnownUploadIds),
};
