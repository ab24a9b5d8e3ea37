import { PodsteadPlayer } from './element.ts';

if (globalThis.customElements && !customElements.get('podstead-player')) {
  // A classic script knows its own address; the API is at the same origin.
  const own =
    (document.currentScript as HTMLScriptElement | null) ??
    document.querySelector<HTMLScriptElement>('script[src*="/player/v1."]');
  if (own?.src) PodsteadPlayer.service = new URL(own.src).origin;
  customElements.define('podstead-player', PodsteadPlayer);
}

export { PodsteadPlayer };
