import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Only our keys begin with this, so that secret scanners can find leaked ones. */
export const apiKeyPrefix = 'svc_live_';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
// 43 letters and digits hold 256 bits; six hold a CRC-32.
const RANDOM_CHARS = 43;
const CHECKSUM_CHARS = 6;
const KEY_CHARS = apiKeyPrefix.length + RANDOM_CHARS + CHECKSUM_CHARS;
const MIGHT_BE_KEY = new RegExp(`${apiKeyPrefix}[0-9A-Za-z]+`, 'gi');
const FORM = new RegExp(`^${apiKeyPrefix}[0-9A-Za-z]{${RANDOM_CHARS + CHECKSUM_CHARS}}$`);

/** A new secret key, in the format of KEY-1. */
export function makeApiKey(): string {
  let text = apiKeyPrefix;
  for (let index = 0; index < RANDOM_CHARS; index += 1) text += ALPHABET[randomInt(62)];
  return text + checksumOf(text);
}

/** Checks format and checksum, which detects typos without a look-up. */
export function isApiKey(text: string): boolean {
  if (text.length !== KEY_CHARS || !FORM.test(text)) return false;
  return checksumOf(text.slice(0, -CHECKSUM_CHARS)) === text.slice(-CHECKSUM_CHARS);
}

/** SHA-256, the stored form. A key has 256 random bits, so a slower hash would add nothing. */
export function hashApiKey(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

/** Shortens everything that might be a key or part of one to the common prefix; for logs. */
export function hideApiKeys(text: string): string {
  return text.replaceAll(MIGHT_BE_KEY, `${apiKeyPrefix}…`);
}

/** Shown to users, to tell their keys apart. */
export function lastFourOf(key: string): string {
  return key.slice(-4);
}

/** CRC-32 in base 62, zero-padded. */
function checksumOf(text: string): string {
  let digits = '';
  let rest = crc32(text);
  for (let index = 0; index < CHECKSUM_CHARS; index += 1) {
    digits = ALPHABET[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
