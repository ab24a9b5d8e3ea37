import { type FileFamily, findByIds } from '../../foundation/file-family.ts';
import { selectKnownUploadIds } from './uploads.sql.ts';

/**
 * The bytes of uploads. Their rows are deleted with the user or podcast; the sweep deletes the
 * files.
 */
export const uploadFiles: FileFamily = {
  folder: 'uploads',
  keyForm: /^uploads\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:\.[0-9a-f-]{36})?$/,
  findNamed: findByIds(selectKnownUploadIds),
};
