import { recall } from '../playback/stored-playback.ts';
import { formatAmount } from '../text/amount.ts';

/** Beside an episode in a list: how much of it is left, if it was begun on this device. */
export function showAllTimeLeft(): void {
  const at = recall().at ?? {};
  for (const row of document.querySelectorAll<HTMLElement>('main [data-left]')) {
    showTimeLeft(row, Number(at[row.dataset['of'] ?? '']));
  }
}

/** The same for the one that plays. */
export function showTimeLeftOf(id: string, seconds: number, duration: number): void {
  const rows = `main [data-left][data-of="${CSS.escape(id)}"]`;
  for (const row of document.querySelectorAll<HTMLElement>(rows)) {
    row.dataset['seconds'] ||= String(duration);
    showTimeLeft(row, seconds);
  }
}

function showTimeLeft(row: HTMLElement, seconds: number): void {
  const { left = '', seconds: length } = row.dataset;
  const total = Number(length);
  const shown = row.querySelector('.left');
  if (!(seconds > 0 && seconds < total)) {
    shown?.remove();
    return;
  }
  const bar = (shown?.firstElementChild ??
    document.createElement('progress')) as HTMLProgressElement;
  bar.max = total;
  bar.value = seconds;
  // The words beside it say the same.
  bar.ariaHidden = 'true';
  const text = left.replace('{time}', formatTime(total - seconds));
  if (shown?.lastChild instanceof Text) {
    shown.lastChild.data = text;
    return;
  }
  const part = document.createElement('span');
  part.className = 'left';
  part.append(bar, text);
  row.prepend(part);
}

/** `42 minutes`, `1 hour 5 minutes`; at least one minute. */
function formatTime(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60));
  const parts = [
    ['hour', Math.floor(minutes / 60)],
    ['minute', minutes % 60],
  ] as const;
  const { lang } = document.documentElement;
  return parts.flatMap(([unit, n]) => (n > 0 ? formatAmount(n, unit, lang || 'en') : [])).join(' ');
}
