const form = /^(?:(?:(\d{1,3}):)?(\d{1,3}):)?(\d{1,6})(?:[.,](\d{1,3}))?$/;

/** `1:02:03.5`, `62:03`, `95`: seconds. Undefined for anything else. */
export function tryParseTime(text: string): number | undefined {
  const [, hours = '0', minutes = '0', seconds, fraction = '0'] = form.exec(text.trim()) ?? [];
  if (seconds === undefined) return undefined;
  const hasMinutes = text.includes(':');
  if (hasMinutes && Number(seconds) > 59) return undefined;
  const ms = Number(fraction.padEnd(3, '0'));
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + ms / 1000;
}

/** As one writes it: 95.5 → 0:01:35.5, without a fraction where there is none. */
export function writeTime(seconds: number): string {
  const ms = Math.max(0, Math.round(seconds * 1000));
  const two = (value: number) => String(value).padStart(2, '0');
  const whole = Math.floor(ms / 1000);
  const clock = `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
  const fraction = String((ms % 1000) / 1000).slice(2);
  return fraction === '' ? clock : `${clock}.${fraction}`;
}
