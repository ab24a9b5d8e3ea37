/** Where backups are: a folder, or a part of a bucket. */
export type BackupPlace =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 's3'; readonly bucket: string; readonly prefix: string };

const bucketStart = 's3://';

/** Undefined: neither a folder nor `s3://BUCKET/PREFIX`. */
export function tryParseBackupPlace(text: string): BackupPlace | undefined {
  if (text.trim() === '') return undefined;
  if (!text.startsWith(bucketStart))
    return /^[a-z][a-z0-9+.-]+:/i.test(text) ? undefined : { kind: 'folder', path: text };
  const [bucket = '', ...prefix] = text.slice(bucketStart.length).split('/');
  return bucket === '' ? undefined : { kind: 's3', bucket, prefix: prefix.join('/') };
}
