/** Where a picture's bytes are in the blob store, written and read by these names alone. */
export function imageKey(imageId: string, contentType: string): string {
  return `images/${imageId.toLowerCase()}/original.${contentType === 'image/png' ? 'png' : 'jpg'}`;
}

export function imageVariantKey(imageId: string, widthPx: number): string {
  return `images/${imageId.toLowerCase()}/${widthPx}.jpg`;
}
