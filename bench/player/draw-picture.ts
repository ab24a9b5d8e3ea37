import sharp from 'sharp';

/** A cover of 1,400 pixels a side, as detailed as real covers. */
export function drawPicture(): Promise<Buffer> {
  const rings = Array.from({ length: 40 }, (_, i) => {
    const hue = (i * 47) % 360;
    return `<circle cx="${(i * 331) % 1400}" cy="${(i * 577) % 1400}" r="${60 + ((i * 29) % 200)}"
      fill="none" stroke="hsl(${hue} 60% 55%)" stroke-width="${4 + (i % 9)}"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1400" height="1400">
    <rect width="1400" height="1400" fill="#0d2b45"/>${rings.join('')}</svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}
