/** A class for titles that would fill a phone's screen at full size. */
export function titleSize(title: string): 'title' | 'title long' | 'title endless' {
  if (title.length > 160) return 'title endless';
  return title.length > 60 ? 'title long' : 'title';
}
