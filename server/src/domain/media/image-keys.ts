/** The keys of a picture's files in the blob store. */
export function imageKey(imageId: string, contentType: string): string {
  return `images/${imageId.toLowerCase()}/original.${contentType === 'image/png' ? 'png' : 'jpg'}`;
}

export function imageVariantKey(imageId: string, widthPx: number): string {
  return `images/${imageId.toLowerCase()}/${widthPx}.jpg`;
}
