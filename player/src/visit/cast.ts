/** Offers to play on another device where the browser can and has found one; otherwise `button` is hidden. */
export function offerCasting(
  button: HTMLElement,
  audio: () => HTMLMediaElement | null,
): () => void {
  button.hidden = true;
  button.addEventListener('click', () => {
    audio()
      ?.remote?.prompt()
      .catch(() => {});
  });
  let watched: HTMLMediaElement | undefined;
  return () => {
    const element = audio();
    if (!element?.remote || element === watched) return;
    watched = element;
    const show = (isAvailable: boolean) => {
      button.hidden = !isAvailable;
    };
    element.remote.watchAvailability(show).catch(() => show(false));
  };
}
