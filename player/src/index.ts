import { PodsteadPlayer } from './element.ts';

if (globalThis.customElements && !customElements.get('podstead-player')) {
  // As a script of a page the player knows where it came from: there the API is.
  const own =
    (document.currentScript as HTMLScriptElement | null) ??
    document.querySelector<HTMLScriptElement>('script[src*="/player/v1."]');
  if (own?.src) PodsteadPlayer.service = new URL(own.src).origin;
  customElements.define('podstead-player', PodsteadPlayer);
}

export { PodsteadPlayer };
