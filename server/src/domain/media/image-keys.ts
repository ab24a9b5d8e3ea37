import { type FileFamily, findByIds } from '../file-family.ts';
import { selectKnownAudioKeys, selectKnownImageIds } from './media.sql.ts';

/** The keys of a picture's files in the blob store. */
export function imageKey(imageId: string, contentType: string): string {
  return `images/${imageId.toLowerCase()}/original.${contentType === 'image/png' ? 'png' : 'jpg'}`;
}

export function imageVariantKey(imageId: string, widthPx: number): string {
  return `images/${imageId.toLowerCase()}/${widthPx}.jpg`;
}

export const audioFiles: FileFamily = {
  folder: 'audio',
  keyForm: /^audio\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[a-z0-9]{1,8}$/,
  findNamed: async ({ db }, keys) => new Set(await selectKnownAudioKeys(db, keys)),
};

/** A picture in each size: its row names them all. */
export const imageFiles: FileFamily = {
  folder: 'images',
  keyForm:
    /^images\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\/(?:original\.(?:jpg|png)|\d{1,5}\.jpg)$/,
  findNamed: findByIds(selectKnownImageIds),
};
