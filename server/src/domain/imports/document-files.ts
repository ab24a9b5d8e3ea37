import { type FileFamily, findByIds } from '../file-family.ts';
import { selectRunningIds } from './imports.sql.ts';

/** The stored feed of an import, which exists while the import runs. */
export const documentFiles: FileFamily = {
  folder: 'imports',
  keyForm: /^imports\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\/[0-9a-f-]{1,36}\.xml$/,
  findNamed: findByIds(selectRunningIds),
};
