import { type FileFamily, findByIds } from '../../foundation/file-family.ts';
import { selectKnownImageIds } from './images.sql.ts';

/** The keys of a picture's files in the blob store. */
export function imageKey(imageId: string, contentType: string): string {
  return `images/${imageId.toLowerCase()}/original.${contentType === 'image/png' ? 'png' : 'jpg'}`;
}

export function imageVariantKey(imageId: string, widthPx: number): string {
  return `images/${imageId.toLowerCase()}/${widthPx}.jpg`;
}

/** A picture in each size: its row names them all. */
export const imageFiles: FileFamily = {
  folder: 'images',
  keyForm:
    /^images\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\/(?:original\.(?:jpg|png)|\d{1,5}\.jpg)$/,
  findNamed: findByIds(selectKnownImageIds),
};
