const keyForm = /^[a-z0-9][a-z0-9._-]{0,199}(?:\/[a-z0-9][a-z0-9._-]{0,199})*$/;
const longestKey = 512;

export class BlobKeyError extends Error {
  constructor(key: string) {
    super(`${JSON.stringify(key.slice(0, 80))} is no blob key`);
    this.name = 'BlobKeyError';
  }
}

/**
 * Throws BlobKeyError unless `key` is `[a-z0-9][a-z0-9._-]*` segments joined by `/`: no segment can
 * be `.`, `..` or hidden, so a key never leads out of the store nor into its scratch folder.
 */
export function assertBlobKey(key: string): void {
  if (key.length > longestKey || !keyForm.test(key)) throw new BlobKeyError(key);
}
