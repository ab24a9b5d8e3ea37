import { formatColor } from '../../lib/color.ts';

const fullTurn = 360;

interface Colored {
  readonly id: string;
  readonly brandColor: string | null;
  readonly artwork: { readonly color: string | null } | null;
}

/** Of covers that have none: beside black and white, a color would look like a mistake. */
const gray = '#55555a';

/**
 * The color of a show: its own, else that of its artwork, else one derived from its id, so that
 * shows look different.
 */
export function showColor({ brandColor, artwork, id }: Colored): string {
  if (brandColor !== null) return brandColor;
  if (artwork !== null) return artwork.color ?? gray;
  return colorOfHue(Number.parseInt(id.slice(-4), 16) % fullTurn);
}

/** The color of a show's player, wherever it is. */
export function playerColor(show: Colored & { readonly playerColor: string | null }): string {
  return show.playerColor ?? showColor(show);
}

/** Vivid enough to distinguish, dark enough for most uses; pages adjust it for legibility. */
function colorOfHue(hue: number): string {
  const [saturation, lightness] = [0.48, 0.34];
  const part = (n: number) => {
    const k = (n + hue / 30) % 12;
    const share = Math.max(-1, Math.min(k - 3, 9 - k, 1));
    return Math.round(255 * (lightness - saturation * lightness * share));
  };
  return formatColor([part(0), part(8), part(4)]);
}
