const keyForm = /^[a-z0-9][a-z0-9._-]{0,199}(?:\/[a-z0-9][a-z0-9._-]{0,199})*$/;
const longestKey = 512;

export class BlobKeyError extends Error {
  constructor(key: string) {
    super(`${JSON.stringify(key.slice(0, 80))} is not a blob key`);
    this.name = 'BlobKeyError';
  }
}

/**
 * Throws BlobKeyError unless `key` consists of segments `[a-z0-9][a-z0-9._-]*` joined by `/`. No
 * segment can be `.`, `..` or hidden, so a key never leaves the store or reaches its scratch
 * folder.
 */
export function assertBlobKey(key: string): void {
  if (!isBlobKey(key)) throw new BlobKeyError(key);
}

export function isBlobKey(key: string): boolean {
  return key.length <= longestKey && keyForm.test(key);
}
